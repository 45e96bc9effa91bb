#include "simulator/setting.hpp"

#include <array>
#include <sstream>

#include "boxes.hpp"

namespace broadside::test::simulator {

namespace {

template <typename T, std::size_t n>
T one_of(const std::array<T, n>& values, Random& random) {
  return values[random.below(n)];
}

std::string_view draw_technique(Random& random) {
  const auto all = techniques();
  return all[random.below(static_cast<std::uint32_t>(all.size()))].name;
}

std::string number(float value) {
  std::ostringstream out;
  out.precision(9);
  out << std::showpoint << value << 'F';
  return out.str();
}

}  // namespace

WorldOptions Setting::options() const {
  return {.interest = interest,
          .response = response,
          .order = order,
          .restitution = 0.75F,
          .gravity = scale * gravity,
          .end_margin = scale * end_margin};
}

Setting draw_setting(std::uint64_t seed) {
  Random random(seed);
  Setting setting;
  setting.technique = draw_technique(random);
  setting.threads = one_of(std::array<std::size_t, 4>{1, 1, 2, 4}, random);
  setting.instruction_set = random.below(8);
  setting.interest = random.below(3) == 0 ? Interest::listeners : Interest::all;
  setting.order = one_of(
      std::array<std::optional<StepOrder>, 3>{std::nullopt, StepOrder::detect_first, StepOrder::motion_first},
      random);
  if (random.below(5) == 0) {
    setting.response = Response::bounce;
    setting.order = std::nullopt;
  }
  setting.bullets = random.below(6) == 0;
  setting.end_margin = one_of(std::array{0.0F, 0.0F, 0.25F, 1.0F}, random);
  setting.gravity = one_of(std::array{Vec2{}, Vec2{}, Vec2{0, -16}, Vec2{8, 40}}, random);
  setting.tags = one_of(std::array<std::uint32_t, 3>{4, 4, 70}, random);
  setting.steps = one_of(std::array{Steps::drawn, Steps::drawn, Steps::equal, Steps::zero}, random);
  setting.lattice = random.below(3) == 0;
  if (setting.lattice) {
    setting.scale = one_of(std::array{1.0F, 1.0F, 0x1p-6F, 32.0F}, random);
  } else {
    setting.scale = one_of(std::array{1.0F, 1.0F, 1e-3F, 32.0F, 1e4F}, random);
  }
  const bool is_small = setting.scale < 1;
  setting.origin = one_of(
      std::array{Vec2{}, Vec2{}, Vec2{100, -50}, is_small ? Vec2{8, -4} : Vec2{1e6F, -7.5e5F}}, random);
  setting.bodies = one_of(std::array<std::uint32_t, 6>{0, 0, 4, 16, 40, 80}, random);
  setting.fast_one_in = one_of(std::array<std::uint32_t, 4>{1, 3, 12, 60}, random);
  setting.switches = random.below(4);
  if (seed % 12 == 7) {  // tests/distributed/world_test.cpp draws bullets in parts
    setting.parts = one_of(std::array{1, 2, 3, 4, 7, 16}, random);
    setting.interest = Interest::all;
    setting.response = Response::none;
    setting.end_margin = 0.0F;
    setting.bullets = false;
  }
  return setting;
}

Setting twin_of(const Setting& setting, std::uint64_t seed) {
  Random random(seed ^ 0x5851f42d4c957f2dU);
  Setting twin = setting;
  twin.technique = draw_technique(random);
  twin.threads = one_of(std::array<std::size_t, 3>{1, 2, 4}, random);
  twin.instruction_set = setting.instruction_set + 1 + random.below(4);
  twin.switches = setting.switches + 1;
  twin.parts = setting.parts == 0 ? 0 : 1 + static_cast<int>(random.below(16));
  return twin;
}

std::vector<Setting> simpler(const Setting& setting) {
  const Setting plain;
  std::vector<Setting> all;
  const auto add = [&](auto member) {
    Setting one = setting;
    one.*member = plain.*member;
    all.push_back(one);
  };
  add(&Setting::technique);
  add(&Setting::threads);
  add(&Setting::instruction_set);
  add(&Setting::switches);
  add(&Setting::interest);
  add(&Setting::order);
  add(&Setting::response);
  add(&Setting::end_margin);
  add(&Setting::gravity);
  add(&Setting::tags);
  add(&Setting::scale);
  add(&Setting::origin);
  add(&Setting::bullets);
  add(&Setting::bodies);
  add(&Setting::parts);
  std::erase_if(all, [&](const Setting& one) { return to_text(one) == to_text(setting); });
  return all;
}

std::string to_text(const Setting& setting) {
  const Setting plain;
  std::string text = "{";
  const auto put = [&](bool differs, std::string_view name, const std::string& value) {
    if (differs) {
      text += (text.size() > 1 ? ", ." : ".") + std::string(name) + " = " + value;
    }
  };
  const auto vec = [](Vec2 v) { return "{" + number(v.x) + ", " + number(v.y) + "}"; };
  put(!setting.technique.empty(), "technique", '"' + std::string(setting.technique) + '"');
  put(setting.threads != plain.threads, "threads", std::to_string(setting.threads));
  put(setting.instruction_set != 0, "instruction_set", std::to_string(setting.instruction_set));
  put(setting.switches != 0, "switches", std::to_string(setting.switches));
  put(setting.interest != plain.interest, "interest", "Interest::listeners");
  if (setting.order) {
    put(true, "order",
        *setting.order == StepOrder::detect_first ? "StepOrder::detect_first" : "StepOrder::motion_first");
  }
  put(setting.response != plain.response, "response", "Response::bounce");
  put(setting.end_margin != 0, "end_margin", number(setting.end_margin));
  put(setting.gravity != Vec2{}, "gravity", vec(setting.gravity));
  put(setting.tags != plain.tags, "tags", std::to_string(setting.tags));
  put(setting.steps != plain.steps, "steps", setting.steps == Steps::equal ? "Steps::equal" : "Steps::zero");
  put(setting.scale != 1, "scale", number(setting.scale));
  put(setting.origin != Vec2{}, "origin", vec(setting.origin));
  put(setting.lattice, "lattice", "true");
  put(setting.bullets, "bullets", "true");
  put(setting.bodies != 0, "bodies", std::to_string(setting.bodies));
  put(setting.fast_one_in != plain.fast_one_in, "fast_one_in", std::to_string(setting.fast_one_in));
  put(setting.parts != 0, "parts", std::to_string(setting.parts));
  return text + "}";
}

}  // namespace broadside::test::simulator
