#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "broadside/broadside.h"

namespace {

/// Reads arguments from bytes: mostly plausible ones, some that are wrong.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  [[nodiscard]] bool ends() const { return at_ >= size_; }
  std::uint8_t byte() { return ends() ? 0 : data_[at_++]; }
  std::uint32_t below(std::uint32_t end) { return byte() % end; }
  bool flag() { return (byte() & 1U) != 0; }
  bool rarely() { return byte() >= 240; }
  float number() {
    const std::uint8_t kind = byte();
    if (kind < 8) {
      constexpr std::array<float, 8> odd = {0.0F,
                                            -0.0F,
                                            std::numeric_limits<float>::quiet_NaN(),
                                            std::numeric_limits<float>::infinity(),
                                            std::numeric_limits<float>::max(),
                                            std::numeric_limits<float>::denorm_min(),
                                            1e19F,
                                            -1e-19F};
      return odd[kind];
    }
    return 0.25F * static_cast<float>(static_cast<int>(kind) - 128);
  }
  float size() { return rarely() ? number() : 0.1F * static_cast<float>(byte()); }
  bs_vec2 vec() {
    const float x = number();
    return {x, number()};
  }
  bs_transform place() {
    bs_transform at{vec(), {1.0F, 0.0F}};
    if (flag()) {
      at.rotation = rarely() ? bs_rotation{number(), number()} : bs_rotation_by(number());
    }
    return at;
  }
  template <typename Enum>
  Enum choice(std::uint32_t end) {
    return static_cast<Enum>(rarely() ? static_cast<int>(byte()) - 128 : static_cast<int>(below(end)));
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

/// A failed call gives a sentence, and every status has a name.
bs_status expect_status(bs_status status) {
  if (status < BS_OK || status > BS_OTHER_ERROR || status == BS_OUT_OF_MEMORY || status == BS_OTHER_ERROR ||
      std::strcmp(bs_status_name(status), "unknown") == 0 ||
      (status != BS_OK && std::strlen(bs_last_error()) == 0)) {
    std::abort();
  }
  return status;
}

/// Calls of C with arguments from an input.
class Program {
 public:
  explicit Program(Input& input) : input_(input) {
    bs_world_options options = bs_world_options_default();
    options.response = input_.choice<bs_response>(2);
    options.order = input_.choice<bs_step_order>(3);
    options.only_listeners = input_.flag();
    options.gravity = input_.vec();
    options.end_margin = input_.flag() ? 0.0F : input_.number();
    options.restitution = input_.flag() ? 1.0F : input_.number();
    if (expect_status(bs_world_create(&options, &world_)) != BS_OK) {
      expect_status(bs_world_create(nullptr, &world_));
    }
    expect_status(bs_world_listen(world_, BS_ON_BEGIN, "a", "*", on_contact, this, nullptr));
    expect_status(bs_world_listen_for_ends(world_, "*", "b", on_end, this, nullptr));
    expect_status(bs_broad_phase_create(nullptr, &broad_phase_));
    expect_status(bs_pair_finder_create(&finder_));
  }
  ~Program() {
    bs_world_destroy(world_);
    bs_broad_phase_destroy(broad_phase_);
    bs_pair_finder_destroy(finder_);
    bs_mask_destroy(mask_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// Makes a call. One that fails leaves the world as it was.
  void do_one() {
    const std::uint64_t before = hash();
    const bs_status status = expect_status(call());
    if (status != BS_OK && hash() != before) {
      std::abort();
    }
  }

  /// The world can be saved and restored.
  void finish() {
    const std::uint8_t* bytes = nullptr;
    std::size_t count = 0;
    expect_status(bs_world_snapshot(world_, &bytes, &count));
    const std::vector<std::uint8_t> kept(bytes, bytes + count);
    if (bs_world_restore(world_, kept.data(), kept.size()) != BS_OK) {
      std::abort();
    }
  }

 private:
  static void on_contact(void* user, const bs_contact* contact) {
    auto& self = *static_cast<Program*>(user);
    if (self.input_.rarely()) {
      expect_status(bs_world_remove(self.world_, &contact->b, 1));
    }
  }
  static void on_end(void* /*user*/, const bs_contact_end* /*end*/) {}
  static bool may_touch(void* /*user*/, bs_body_id a, bs_body_id b) { return (a.index + b.index) % 3 != 0; }

  std::uint64_t hash() {
    std::uint64_t hash = 0;
    expect_status(bs_world_hash(world_, &hash));
    return hash;
  }

  bs_shape shape() {
    bs_shape shape = bs_circle(input_.size());
    shape.kind = input_.choice<bs_shape_kind>(6);
    shape.center = input_.vec();
    shape.half_size = {input_.size(), input_.size()};
    shape.a = input_.vec();
    shape.b = input_.vec();
    for (bs_vec2& point : points_) {
      point = input_.vec();
    }
    shape.points = points_.data();
    shape.point_count = input_.below(6);
    shape.mask = mask_;
    return shape;
  }
  bs_body_id id() {
    if (ids_.empty() || input_.rarely()) {
      return {input_.byte(), input_.byte(), ids_.empty() ? 0 : ids_.front().world + input_.below(2)};
    }
    return ids_[input_.below(static_cast<std::uint32_t>(ids_.size()))];
  }
  const bs_query_filter* filter() {
    filter_ = bs_query_filter_default();
    filter_.filter.mask = input_.byte();
    filter_.filter.group = static_cast<std::int8_t>(input_.byte());
    filter_.static_bodies = input_.flag();
    filter_.except = id();
    filter_.size += input_.rarely() ? 1U : 0U;
    return input_.flag() ? &filter_ : nullptr;
  }

  bs_status add() {
    const std::array<bs_shape, 2> shapes = {shape(), shape()};
    bs_body_def body = bs_body_def_default();
    body.size += input_.rarely() ? 8U : 0U;
    body.shapes = shapes.data();
    body.shape_count = input_.below(3);
    body.type = input_.choice<bs_body_type>(3);
    body.transform = input_.place();
    body.velocity = input_.flag() ? input_.vec() : bs_vec2{0, 0};
    body.tag = input_.flag() ? "a" : (input_.flag() ? "b" : nullptr);
    body.filter.layer = input_.byte();
    body.filter.group = static_cast<std::int8_t>(input_.byte());
    body.sensor = input_.flag();
    body.bullet = input_.rarely();
    body.mass = input_.rarely() ? input_.number() : 0.0F;
    bs_body_id id{};
    const bs_status status = ids_.size() < 24 ? bs_world_add(world_, &body, 1, &id) : BS_OK;
    if (status == BS_OK && id.generation != 0) {
      ids_.push_back(id);
    }
    return status;
  }

  bs_status boxes() {
    std::vector<bs_aabb> boxes(input_.below(20));
    for (bs_aabb& box : boxes) {
      const bs_vec2 at = input_.vec();
      box = {at.x, at.y, at.x + input_.size(), at.y + input_.size()};
    }
    const bs_pair* pairs = nullptr;
    std::size_t count = 0;
    bs_pairs_options options = bs_pairs_options_default();
    options.sorted = input_.flag();
    options.max_pairs = input_.flag() ? options.max_pairs : input_.byte();
    expect_status(bs_find_pairs(finder_, boxes.data(), boxes.size(), &options, &pairs, &count));
    std::vector<std::uint32_t> indices(boxes.size());
    if (box_count_ < 200) {
      const bs_status added =
          bs_broad_phase_add(broad_phase_, boxes.data(), nullptr, boxes.size(), indices.data());
      box_count_ += expect_status(added) == BS_OK ? boxes.size() : 0;
    }
    const std::uint32_t index = input_.byte();
    const bs_aabb box = boxes.empty() ? bs_aabb{0, 0, 1, 1} : boxes.front();
    bs_status status = bs_broad_phase_move(broad_phase_, &index, &box, 1);
    if (input_.rarely()) {
      status = bs_broad_phase_remove(broad_phase_, &index, 1);
    }
    expect_status(bs_broad_phase_find_pairs(broad_phase_, &pairs, &count));
    const std::uint32_t* hits = nullptr;
    expect_status(bs_broad_phase_query_area(broad_phase_, box, &hits, &count));
    return status;
  }

  bs_status two_shapes() {
    const bs_shape a = shape();
    const bs_transform at_a = input_.place();
    const bs_shape b = shape();
    const bs_transform at_b = input_.place();
    bool found = false;
    bs_manifold manifold{};
    bs_distance distance{};
    bs_hit hit{};
    bs_aabb bounds{};
    expect_status(bs_shape_bounds(&a, at_a, &bounds));
    expect_status(bs_shape_contains(&b, at_b, input_.vec(), &found));
    bool overlap = false;
    const bs_status status = bs_overlaps(&a, at_a, &b, at_b, &overlap);
    if (expect_status(bs_collide(&a, at_a, &b, at_b, &manifold)) != status ||
        expect_status(bs_shape_distance(&a, at_a, &b, at_b, &distance)) != status ||
        (status == BS_OK && overlap != (manifold.size > 0))) {
      std::abort();
    }
    expect_status(bs_cast(&a, at_a, input_.vec(), &b, at_b, &found, &hit));
    return bs_cast_ray(input_.vec(), input_.vec(), &b, at_b, &found, &hit);
  }

  bs_status query() {
    const bs_body_id* ids = nullptr;
    const bs_body_hit* hits = nullptr;
    const bs_nearest* nearest = nullptr;
    std::size_t count = 0;
    bool found = false;
    bs_body_hit hit{};
    const bs_shape probe = shape();
    switch (input_.below(7)) {
      case 0: {
        const bs_vec2 at = input_.vec();
        return bs_world_query_area(world_, {at.x, at.y, at.x + input_.size(), at.y + 1}, filter(), &ids,
                                   &count);
      }
      case 1:
        return bs_world_query_point(world_, input_.vec(), filter(), &ids, &count);
      case 2:
        return bs_world_query_shape(world_, &probe, input_.place(), filter(), &ids, &count);
      case 3:
        return bs_world_cast_ray(world_, input_.vec(), input_.vec(), filter(), &found, &hit);
      case 4:
        return bs_world_cast_ray_all(world_, input_.vec(), input_.vec(), filter(), &hits, &count);
      case 5:
        return bs_world_cast_shape(world_, &probe, input_.place(), input_.vec(), filter(), &found, &hit);
      default:
        return bs_world_nearest(world_, input_.vec(), input_.below(5), input_.number(), filter(), &nearest,
                                &count);
    }
  }

  bs_status change() {
    const bs_body_id body = id();
    switch (input_.below(14)) {
      case 0: {
        const bs_vec2 to = input_.vec();
        return bs_world_move_to(world_, &body, &to, 1);
      }
      case 1: {
        const bs_transform to = input_.place();
        return bs_world_move(world_, &body, &to, 1);
      }
      case 2:
        return bs_world_teleport(world_, body, input_.place());
      case 3:
        return bs_world_push(world_, body, input_.vec());
      case 4:
        return bs_world_set_velocity(world_, body, input_.vec());
      case 5:
        return bs_world_set_acceleration(world_, body, input_.vec());
      case 6: {
        const bs_shape made = shape();
        return bs_world_set_shape(world_, body, &made);
      }
      case 7:
        return bs_world_set_filter(world_, body,
                                   {input_.byte(), input_.byte(), input_.byte(), input_.byte() % 3});
      case 8:
        return bs_world_set_tag(world_, body, input_.flag() ? "a" : nullptr);
      case 9:
        return bs_world_set_enabled(world_, body, input_.flag());
      case 10:
        return bs_world_set_sensor(world_, body, input_.flag());
      case 11:
        return bs_world_set_bullet(world_, body, input_.flag());
      case 12:
        return bs_world_set_ignored(world_, body, id(), input_.flag());
      default:
        return bs_world_remove(world_, &body, 1);
    }
  }

  bs_status results() {
    const bs_body_id body = id();
    const bs_contact* contacts = nullptr;
    const bs_contact_end* ends = nullptr;
    const bs_shape* shapes = nullptr;
    const char* text = nullptr;
    std::size_t count = 0;
    bs_body state{};
    bool touching = false;
    expect_status(bs_world_contacts(world_, input_.choice<bs_contacts>(3), &contacts, &count));
    expect_status(bs_world_ended(world_, &ends, &count));
    expect_status(bs_world_why(world_, body, id(), &text));
    expect_status(bs_world_touching(world_, body, id(), &touching));
    expect_status(bs_world_shapes(world_, body, &shapes, &count));
    expect_status(bs_world_tag(world_, body, &text));
    expect_status(bs_world_body(world_, body, &state));
    expect_status(bs_world_transforms(world_, &body, 1, &state.transform));
    expect_status(bs_world_velocities(world_, &body, 1, &state.velocity));
    return bs_world_contacts_of(world_, body, &contacts, &count);
  }

  bs_status call() {
    switch (input_.below(10)) {
      case 0:
      case 1:
        return add();
      case 2:
        return boxes();
      case 3:
        return two_shapes();
      case 4:
        return query();
      case 5:
        return results();
      case 6: {
        bs_slide_options options = bs_slide_options_default();
        options.skin = input_.rarely() ? input_.number() : 0.0F;
        options.up = {0, input_.flag() ? 1.0F : 0.0F};
        bs_slide_result result{};
        return bs_world_move_and_slide(world_, id(), input_.vec(), input_.flag() ? &options : nullptr,
                                       &result);
      }
      case 7:
        if (input_.rarely()) {
          return bs_world_set_predicate(world_, input_.flag() ? may_touch : nullptr, nullptr);
        }
        if (mask_ == nullptr) {
          const std::array<std::uint8_t, 6> alpha = {input_.byte(), 255, 0, input_.byte(), 9, 200};
          return bs_mask_create(alpha.data(), 3, 2, input_.size(), input_.vec(), input_.byte(), &mask_);
        }
        return bs_world_set_technique(world_, input_.flag() ? "uniform-grid" : "hierarchical-grid");
      case 8:
        // A listener may have removed bodies of a step that fails later, so failures are not compared.
        expect_status(bs_world_step(world_, input_.rarely() ? input_.number() : 1.0F / 60));
        return BS_OK;
      default:
        return change();
    }
  }

  Input& input_;
  bs_world* world_ = nullptr;
  bs_broad_phase* broad_phase_ = nullptr;
  bs_pair_finder* finder_ = nullptr;
  bs_mask* mask_ = nullptr;
  std::size_t box_count_ = 0;
  std::vector<bs_body_id> ids_;
  std::array<bs_vec2, 5> points_{};
  bs_query_filter filter_{};
};

}  // namespace

// Any calls of the interface for C, with any arguments that are not null: each succeeds, or gives a sentence
// and changes nothing.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t most = 4096;
  if (size > most) {
    return 0;
  }
  Input input(data, size);
  Program program(input);
  for (int calls = 0; calls < 100 && !input.ends(); ++calls) {
    program.do_one();
  }
  program.finish();
  return 0;
}
