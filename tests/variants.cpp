#include "variants.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "broadside/broad_phase/hash_grid.hpp"
#include "broadside/broad_phase/techniques.hpp"
#include "broadside/broad_phase/uniform_grid.hpp"

namespace broadside::test {

namespace {

std::string test_name(std::string_view technique) {
  std::string name(technique);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

Variant uniform(const std::string& name, std::optional<Aabb> bounds, std::optional<Vec2> cell_size) {
  return {"uniform_grid_" + name, [=]() -> std::unique_ptr<BroadPhase> {
            return UniformGrid::create({.bounds = bounds, .cell_size = cell_size}).value();
          }};
}

Variant hashed(const std::string& name, Vec2 cell_size) {
  return {"hash_grid_" + name, [=]() -> std::unique_ptr<BroadPhase> {
            return HashGrid::create({.cell_size = cell_size}).value();
          }};
}

std::vector<Variant> make_variants() {
  std::vector<Variant> result;
  for (const TechniqueEntry& technique : techniques()) {
    result.push_back({test_name(technique.name), [&technique] { return technique.create({}).value(); }});
  }
  const Aabb around{{-64.0F, -64.0F}, {128.0F, 128.0F}};
  result.push_back(uniform("cells_of_8", around, Vec2{8.0F, 8.0F}));
  result.push_back(uniform("cells_too_small", around, Vec2{0.75F, 0.75F}));
  result.push_back(uniform("cells_too_large", around, Vec2{1.0e6F, 1.0e6F}));
  result.push_back(uniform("cells_flat", Aabb{{-13.0F, 3.0F}, {77.0F, 91.0F}}, Vec2{11.0F, 0.7F}));
  result.push_back(uniform("bounds_elsewhere", Aabb{{5000.0F, 0.0F}, {5100.0F, 10.0F}}, Vec2{5.0F, 5.0F}));
  result.push_back(uniform("bounds_too_small", Aabb{{20.0F, 20.0F}, {40.0F, 40.0F}}, Vec2{2.0F, 2.0F}));
  result.push_back(uniform("bounds_a_point", Aabb{}, Vec2{1.0F, 1.0F}));
  result.push_back(uniform("bounds_alone", Aabb{{0.0F, 0.0F}, {50.0F, 50.0F}}, std::nullopt));
  result.push_back(hashed("cells_of_8", Vec2{8.0F, 8.0F}));
  result.push_back(hashed("cells_too_small", Vec2{1e-4F, 1e-4F}));
  result.push_back(hashed("cells_too_large", Vec2{1.0e6F, 1.0e6F}));
  result.push_back(hashed("cells_flat", Vec2{11.0F, 0.7F}));
  result.push_back(hashed("cells_least", Vec2{std::numeric_limits<float>::denorm_min(), 1.0F}));
  result.push_back(hashed("cells_greatest", Vec2{std::numeric_limits<float>::max(), 1.0F}));
  return result;
}

}  // namespace

std::vector<std::string> technique_names() {
  std::vector<std::string> names;
  for (const TechniqueEntry& technique : techniques()) {
    names.emplace_back(technique.name);
  }
  return names;
}

const std::vector<Variant>& variants() {
  static const std::vector<Variant> all = make_variants();
  return all;
}

}  // namespace broadside::test
