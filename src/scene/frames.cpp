#include "broadside/scene/frames.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

#include "broadside/broad_phase/cell_size.hpp"
#include "broadside/scene/file.hpp"
#include "broadside/scene/messages.hpp"
#include "broadside/scene/random.hpp"
#include "broadside/scene/simulation.hpp"
#include "xz.hpp"

namespace broadside::inline v0_2 {

bool Frames::advance() {
  if (next_step_ == step_count()) {
    return false;
  }
  before_ = boxes_;
  load(next_step_, boxes_);
  changed_.clear();
  for (BoxIndex i = 0; i < boxes_.size(); ++i) {
    if (next_step_ == 0 || boxes_[i] != before_[i]) {
      changed_.push_back(i);
    }
  }
  ++next_step_;
  return true;
}

void Frames::rewind() {
  next_step_ = 0;
  restart();
}

std::string_view Frames::color(BoxIndex box) const {
  return types()[box] == BodyType::dynamic ? "#4c78a8" : "#9a9a9a";
}

// Cuts off outliers: a box list or a trace may contain one giant or one box far away, and a picture should
// show the center of what moves.
Aabb Frames::view() const {
  std::vector<float> xs;
  std::vector<float> ys;
  for (const bool movers_only : {true, false}) {
    for (BoxIndex i = 0; i < boxes_.size(); ++i) {
      if (!movers_only || types()[i] == BodyType::dynamic) {
        xs.insert(xs.end(), {boxes_[i].min.x, boxes_[i].max.x});
        ys.insert(ys.end(), {boxes_[i].min.y, boxes_[i].max.y});
      }
    }
    if (!xs.empty()) {
      break;
    }
  }
  if (xs.empty()) {
    return {{0.0F, 0.0F}, {1.0F, 1.0F}};
  }
  const auto range = [](std::vector<float>& values) {
    std::sort(values.begin(), values.end());
    const std::size_t cut = values.size() / 200;
    const float low = values[cut];
    const float high = values[values.size() - 1 - cut];
    constexpr double limit = std::numeric_limits<float>::max();
    const double margin = std::max(0.03 * (double{high} - low), 1e-6);
    return std::pair{static_cast<float>(std::max(low - margin, -limit)),
                     static_cast<float>(std::min(high + margin, limit))};
  };
  const auto [left, right] = range(xs);
  const auto [bottom, top] = range(ys);
  return {{left, bottom}, {right, top}};
}

namespace {

class SceneFrames final : public Frames {
 public:
  explicit SceneFrames(Scene scene) : scene_(std::move(scene)), simulation_(scene_), steps_(scene_.steps) {}

  [[nodiscard]] std::string name() const override { return printable(scene_.name); }
  [[nodiscard]] std::size_t step_count() const override { return steps_; }
  void limit_steps(std::size_t steps) override { steps_ = steps; }
  [[nodiscard]] std::span<const BodyType> types() const override { return simulation_.types(); }
  [[nodiscard]] bool counts(Pair pair) const override { return simulation_.layers_meet(pair); }
  [[nodiscard]] Filter filter(BoxIndex box) const override { return scene_.bodies[box].filter(); }
  [[nodiscard]] std::string_view tag(BoxIndex box) const override {
    return scene_.tags.empty() ? std::string_view() : scene_.tags[scene_.bodies[box].tag];
  }
  [[nodiscard]] float seconds_per_step() const override { return scene_.dt; }
  void respond(std::span<const Contact> contacts) override { simulation_.respond(contacts); }
  [[nodiscard]] std::span<const Shape> shapes() const override { return simulation_.shapes(); }
  [[nodiscard]] std::span<const Transform> transforms() const override { return simulation_.transforms(); }
  [[nodiscard]] std::string_view color(BoxIndex box) const override { return scene_.bodies[box].color; }
  [[nodiscard]] bool y_is_up() const override { return scene_.gravity.y < 0.0F; }
  [[nodiscard]] Aabb view() const override { return scene_.bounds ? *scene_.bounds : Frames::view(); }

 private:
  void load(std::size_t step, std::vector<Aabb>& boxes) override {
    if (step > 0) {
      simulation_.end_step();
    }
    simulation_.begin_step();
    boxes.assign(simulation_.boxes().begin(), simulation_.boxes().end());
  }
  void restart() override { simulation_ = Simulation(scene_); }

  Scene scene_;
  Simulation simulation_;
  std::size_t steps_;
};

/// Boxes from a recording.
class RecordedFrames : public Frames {
 public:
  [[nodiscard]] std::span<const Shape> shapes() const final { return shapes_; }
  [[nodiscard]] std::span<const Transform> transforms() const final { return transforms_; }

 protected:
  virtual void load_boxes(std::size_t step, std::vector<Aabb>& boxes) = 0;

 private:
  void load(std::size_t step, std::vector<Aabb>& boxes) final {
    load_boxes(step, boxes);
    shapes_.resize(boxes.size());
    transforms_.resize(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const auto [x, half_x] = middle(boxes[i].min.x, boxes[i].max.x);
      const auto [y, half_y] = middle(boxes[i].min.y, boxes[i].max.y);
      shapes_[i] = Box::of_half_size({half_x, half_y});
      transforms_[i].position = {x, y};
    }
  }

  /// Returns center and half size of a range, the latter large enough to reach both ends.
  static std::pair<float, float> middle(float low, float high) {
    const auto center = static_cast<float>(0.5 * (double{low} + high));
    const double reach = std::max(double{high} - center, double{center} - low);
    const auto half = static_cast<float>(reach);
    return {center, double{half} < reach ? std::nextafter(half, std::numeric_limits<float>::max()) : half};
  }

  std::vector<Shape> shapes_;
  std::vector<Transform> transforms_;
};

class TraceFrames final : public RecordedFrames {
 public:
  TraceFrames(Trace trace, const std::string& name)
      : trace_(std::move(trace)), name_(printable(name)), steps_(trace_.frame_count()) {
    types_.assign(trace_.static_count(), BodyType::static_body);
    types_.resize(trace_.shape_count(), BodyType::dynamic);
  }

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::size_t step_count() const override { return steps_; }
  void limit_steps(std::size_t steps) override { steps_ = std::min(steps, trace_.frame_count()); }
  [[nodiscard]] bool y_is_up() const override { return true; }
  [[nodiscard]] std::span<const BodyType> types() const override { return types_; }

 private:
  void load_boxes(std::size_t step, std::vector<Aabb>& boxes) override {
    boxes = trace_.static_boxes;
    const auto moving = trace_.frame(step);
    boxes.insert(boxes.end(), moving.begin(), moving.end());
  }

  Trace trace_;
  std::string name_;
  std::size_t steps_;
  std::vector<BodyType> types_;
};

class BoxListFrames final : public RecordedFrames {
 public:
  BoxListFrames(BoxList list, const std::string& name)
      : list_(std::move(list)), name_(printable(name)), types_(list_.boxes.size(), BodyType::dynamic) {}

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::size_t step_count() const override { return 1; }
  void limit_steps(std::size_t /*steps*/) override {}
  [[nodiscard]] std::span<const BodyType> types() const override { return types_; }
  [[nodiscard]] std::uint64_t id(BoxIndex box) const override { return list_.ids[box]; }

 private:
  void load_boxes(std::size_t /*step*/, std::vector<Aabb>& boxes) override { boxes = list_.boxes; }

  BoxList list_;
  std::string name_;
  std::vector<BodyType> types_;
};

class SwayingFrames final : public RecordedFrames {
 public:
  SwayingFrames(std::unique_ptr<Frames> recorded, std::size_t steps)
      : recorded_(std::move(recorded)), steps_(steps) {
    recorded_->rewind();
    recorded_->advance();
    const auto boxes = recorded_->boxes();
    const float suggested = suggest_cell_size(boxes).value();
    Random random(1);
    for (const Aabb& box : boxes) {
      const double side = std::max(double{box.max.x} - box.min.x, double{box.max.y} - box.min.y);
      const double step = 0.05 * (side > 0.0 ? side : double{suggested});
      const double angle = random.uniform(0.0, 6.283185307179586);
      directions_.push_back(
          {static_cast<float>(step * std::cos(angle)), static_cast<float>(step * std::sin(angle))});
    }
  }

  [[nodiscard]] std::string name() const override { return recorded_->name(); }
  [[nodiscard]] std::size_t step_count() const override { return steps_; }
  void limit_steps(std::size_t steps) override { steps_ = steps; }
  [[nodiscard]] bool y_is_up() const override { return recorded_->y_is_up(); }
  [[nodiscard]] std::span<const BodyType> types() const override { return recorded_->types(); }
  [[nodiscard]] std::uint64_t id(BoxIndex box) const override { return recorded_->id(box); }

 private:
  // The places are 0, 1, ..., 5, 4, ..., 0, -1, ..., -5, -4, ..., -1, 0 and so on, as multiples of a step.
  void load_boxes(std::size_t step, std::vector<Aabb>& boxes) override {
    constexpr int reach = 5;
    constexpr std::size_t period = 20;  // 4 * reach
    const int phase = static_cast<int>(step % period);
    const int place = phase <= reach ? phase : phase <= 3 * reach ? 2 * reach - phase : phase - 4 * reach;
    boxes.assign(recorded_->boxes().begin(), recorded_->boxes().end());
    const auto types = recorded_->types();
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const Vec2 offset = static_cast<float>(place) * directions_[i];
      const Aabb moved{boxes[i].min + offset, boxes[i].max + offset};
      if (types[i] != BodyType::static_body && is_valid(moved)) {
        boxes[i] = moved;
      }
    }
  }

  std::unique_ptr<Frames> recorded_;
  std::size_t steps_;
  std::vector<Vec2> directions_;  ///< a step each
};

enum class Kind { scene, trace, boxes };

Kind kind_of(const std::string& path, std::string_view bytes) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".json") {
    return Kind::scene;
  }
  if (ending == ".csv") {
    return Kind::boxes;
  }
  if (ending == ".b2tr" || ending == ".xz" || is_xz(bytes) || bytes.starts_with("B2TR")) {
    return Kind::trace;
  }
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && bytes[first] == '{' ? Kind::scene : Kind::boxes;
}

template <typename T>
Result<std::unique_ptr<Frames>> frames_of(Result<T> read, const std::string& name) {
  if (!read.has_value()) {
    return read.error();
  }
  if constexpr (std::is_same_v<T, Scene>) {
    return make_frames(std::move(*read));
  } else {
    return make_frames(std::move(*read), name);
  }
}

}  // namespace

std::unique_ptr<Frames> make_frames(Scene scene) {
  return std::make_unique<SceneFrames>(std::move(scene));
}

std::unique_ptr<Frames> make_frames(Trace trace, const std::string& name) {
  return std::make_unique<TraceFrames>(std::move(trace), name);
}

std::unique_ptr<Frames> make_frames(BoxList list, const std::string& name) {
  return std::make_unique<BoxListFrames>(std::move(list), name);
}

std::unique_ptr<Frames> make_swaying_frames(std::unique_ptr<Frames> recorded, std::size_t steps) {
  return std::make_unique<SwayingFrames>(std::move(recorded), steps);
}

Result<std::unique_ptr<Frames>> open_frames(const std::string& input, BoxList::Origin origin) {
  const bool has_origin = origin != BoxList::Origin{};
  const auto refuse_origin = [](const std::string& name) {
    return Error{
        ErrorCode::invalid_argument,
        name + ": an origin can only be subtracted from boxes as CSV; scenes and traces hold floats"};
  };
  if (const BuiltInScene* scene = find_built_in_scene(input)) {
    return has_origin ? refuse_origin(input) : frames_of(parse_scene(scene->json, input), input);
  }
  constexpr std::uint64_t max_bytes = std::uint64_t{1} << 30U;
  const auto bytes = read_file(input, max_bytes);
  if (!bytes.has_value()) {
    Error error = bytes.error();
    if (error.code == ErrorCode::io) {
      std::vector<std::string> names;
      std::string list;
      for (const BuiltInScene& scene : built_in_scenes()) {
        names.emplace_back(scene.name);
        list += (list.empty() ? "" : ", ") + names.back();
      }
      error.message +=
          "; expected a file, - for standard input, or a built-in scene: " + list + suggestion(input, names);
    }
    return error;
  }
  const std::string name = input == "-" ? "standard input" : input;
  const Kind kind = kind_of(input, *bytes);
  if (kind == Kind::boxes) {
    return frames_of(parse_box_list(*bytes, name, origin), name);
  }
  if (has_origin) {
    return refuse_origin(name);
  }
  return kind == Kind::scene ? frames_of(parse_scene(*bytes, name, directory_of(input)), name)
                             : frames_of(parse_trace(*bytes, name), name);
}

}  // namespace broadside::inline v0_2
