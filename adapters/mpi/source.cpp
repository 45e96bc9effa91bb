#include "source.hpp"

#include "broadside/scene/workload.hpp"

namespace broadside::mpi {

namespace {

class RecordedSource final : public Source {
 public:
  RecordedSource(std::unique_ptr<Frames> frames, bool responds)
      : frames_(std::move(frames)), responds_(responds) {}

  [[nodiscard]] std::string name() const override { return frames_->name(); }
  bool advance() override {
    const bool has_step = frames_->advance();
    has_changed_.assign(frames_->boxes().size(), 0);
    for (const BoxIndex index : frames_->changed()) {
      has_changed_[index] = 1;
    }
    return has_step;
  }
  [[nodiscard]] std::size_t size() const override { return frames_->boxes().size(); }
  [[nodiscard]] Aabb box(BoxIndex index) const override { return frames_->boxes()[index]; }
  [[nodiscard]] BoxKind kind(BoxIndex index) const override {
    return {frames_->types()[index], frames_->filter(index)};
  }
  [[nodiscard]] bool has_changed(BoxIndex index) const override { return has_changed_[index] != 0; }
  [[nodiscard]] Frames* responding() override { return responds_ ? frames_.get() : nullptr; }

 private:
  std::unique_ptr<Frames> frames_;
  bool responds_;
  std::vector<std::uint8_t> has_changed_;
};

/// A workload in motion, as `record_workload` moves it, without a record of all its steps.
class WorkloadSource final : public Source {
 public:
  WorkloadSource(std::string name, Workload workload, std::size_t steps)
      : name_(std::move(name)),
        workload_(std::move(workload)),
        steps_(steps),
        motions_(draw_motions(workload_, 1)) {}

  [[nodiscard]] std::string name() const override { return name_; }
  bool advance() override { return next_step_++ < steps_; }
  [[nodiscard]] std::size_t size() const override { return workload_.boxes.size(); }
  [[nodiscard]] Aabb box(BoxIndex index) const override {
    const Aabb& box = workload_.boxes[index];
    if (!moves(index)) {
      return box;
    }
    const Vec2 offset = static_cast<float>(next_step_ - 1) * motions_[index - workload_.static_count];
    return {box.min + offset, box.max + offset};
  }
  [[nodiscard]] BoxKind kind(BoxIndex index) const override {
    return {moves(index) ? BodyType::dynamic : BodyType::static_body, {}};
  }
  [[nodiscard]] bool has_changed(BoxIndex index) const override { return moves(index); }

 private:
  [[nodiscard]] bool moves(BoxIndex index) const { return index >= workload_.static_count; }

  std::string name_;
  Workload workload_;
  std::size_t steps_;
  std::vector<Vec2> motions_;  ///< of the boxes that are not static
  std::size_t next_step_ = 0;
};

}  // namespace

Result<std::unique_ptr<Source>> open_source(const std::string& input, std::uint64_t boxes,
                                            std::size_t steps) {
  if (boxes > 0) {
    auto workload = make_workload(input, boxes, 1);
    if (!workload.has_value()) {
      return workload.error();
    }
    return std::unique_ptr<Source>(std::make_unique<WorkloadSource>(input, std::move(*workload), steps));
  }
  auto frames = open_frames(input);
  if (!frames.has_value()) {
    return frames.error();
  }
  (*frames)->limit_steps(steps);
  // Recorded boxes ignore their contacts; the bodies of a scene respond to them.
  const bool is_scene = input.ends_with(".json") || input.find_first_of("./") == std::string::npos;
  return std::unique_ptr<Source>(std::make_unique<RecordedSource>(std::move(*frames), is_scene));
}

}  // namespace broadside::mpi
