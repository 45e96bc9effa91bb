#pragma once

#include <utility>

namespace broadside::detail {

/// Takes something back when it goes out of scope, unless it was dismissed: what throws halfway leaves
/// nothing half done.
template <typename Action>
class Undo {
 public:
  explicit Undo(Action action) : action_(std::move(action)) {}
  ~Undo() {
    if (!is_dismissed_) {
      action_();
    }
  }
  Undo(const Undo&) = delete;
  Undo& operator=(const Undo&) = delete;

  void dismiss() { is_dismissed_ = true; }

 private:
  Action action_;
  bool is_dismissed_ = false;
};

}  // namespace broadside::detail
