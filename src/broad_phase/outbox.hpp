// Included once for each SIMD target, after Highway; the toggle lets it through each time.

#if defined(BROADSIDE_BROAD_PHASE_OUTBOX) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADSIDE_BROAD_PHASE_OUTBOX
#undef BROADSIDE_BROAD_PHASE_OUTBOX
#else
#define BROADSIDE_BROAD_PHASE_OUTBOX
#endif

#include <cstring>
#include <vector>

#include "broadside/base/pair.hpp"
#include "squeeze.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::detail::HWY_NAMESPACE {

/// Names on their way to a list, gathered in a small room, so that the list grows by many at once. What is
/// left goes there by a last `flush`: not by a destructor, as the list may find no memory.
class Outbox {
 public:
  explicit Outbox(std::vector<BoxIndex>& list) : list_(list) {}
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  /// Adds those of a vector of names that a mask tells.
  template <class D, class M>
  HWY_INLINE void push(D d, const BoxIndex* names, M which) {
    namespace hn = hwy::HWY_NAMESPACE;
    if (size_ + hn::Lanes(d) > room) {
      flush();
    }
    hn::StoreU(squeeze(d, hn::LoadU(d, names), which), d, room_ + size_);
    size_ += count_true(d, which);
  }
  void push_all(const BoxIndex* names, std::size_t count) {
    if (size_ + count > room) {
      flush();
      if (count > room / 4) {
        list_.insert(list_.end(), names, names + count);
        return;
      }
    }
    std::memcpy(room_ + size_, names, count * sizeof(BoxIndex));
    size_ += count;
  }

  void flush() {
    list_.insert(list_.end(), room_, room_ + size_);
    size_ = 0;
  }

 private:
  static constexpr std::size_t room = 256;

  std::vector<BoxIndex>& list_;
  std::size_t size_ = 0;
  std::uint32_t room_[room];
};

}  // namespace broadside::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
