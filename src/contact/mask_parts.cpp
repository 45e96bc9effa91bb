#include "contact/mask_parts.hpp"

namespace broadside::detail {

Parts::Parts(const MaskFrame& frame, const Shape& shape, const Transform& at)
    : frame_(frame), mask_(std::get_if<Mask>(&shape)), at_(at) {
  std::visit(
      [&](const auto& convex) {
        if constexpr (is_convex<std::decay_t<decltype(convex)>>) {
          place(convex, at, frame.anchor(), whole_);
          frame.take_in(whole_);
        }
      },
      shape);
}

Point Parts::middle() const {
  if (mask_ == nullptr) {
    return whole_.size > 0 ? box_around(whole_).middle() : Point{};
  }
  return box_around(to_convex(mask_->extent(), *mask_, at_, frame_)).middle();
}

}  // namespace broadside::detail
