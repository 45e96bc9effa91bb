#pragma once

#include <utility>

namespace broadside::inline v0_2::detail {

/// Runs an action at the end of its scope, unless dismissed: an exception then leaves nothing half done.
template <typename Action>
class ScopeGuard {
 public:
  explicit ScopeGuard(Action action) : action_(std::move(action)) {}
  ~ScopeGuard() {
    if (!is_dismissed_) {
      action_();
    }
  }
  ScopeGuard(const ScopeGuard&) = delete;
  ScopeGuard& operator=(const ScopeGuard&) = delete;

  void dismiss() { is_dismissed_ = true; }

 private:
  Action action_;
  bool is_dismissed_ = false;
};

}  // namespace broadside::inline v0_2::detail
