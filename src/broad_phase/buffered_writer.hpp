// Included once for each SIMD target, after Highway; the toggle serves as include guard.

#if defined(BROADSIDE_BROAD_PHASE_BUFFERED_WRITER) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADSIDE_BROAD_PHASE_BUFFERED_WRITER
#undef BROADSIDE_BROAD_PHASE_BUFFERED_WRITER
#else
#define BROADSIDE_BROAD_PHASE_BUFFERED_WRITER
#endif

#include <vector>

#include "broadside/base/pair.hpp"
#include "compress.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::detail::HWY_NAMESPACE {

/// Buffers names, so that the list grows by many at once. The user calls `flush` at the end; a destructor
/// cannot do it, since the list may run out of memory.
class BufferedWriter {
 public:
  explicit BufferedWriter(std::vector<BoxIndex>& list) : list_(list) {}
  BufferedWriter(const BufferedWriter&) = delete;
  BufferedWriter& operator=(const BufferedWriter&) = delete;

  /// Adds those of a vector of names that a mask selects.
  template <class D, class M>
  HWY_INLINE void push(D d, const BoxIndex* names, M which) {
    namespace hn = hwy::HWY_NAMESPACE;
    if (size_ + hn::Lanes(d) > buffer_size) {
      flush();
    }
    hn::StoreU(compress(d, hn::LoadU(d, names), which), d, buffer_ + size_);
    size_ += count_true(d, which);
  }
  /// Adds names [count].
  void push_all(const BoxIndex* names, std::size_t count) {
    flush();
    list_.insert(list_.end(), names, names + count);
  }

  void flush() {
    list_.insert(list_.end(), buffer_, buffer_ + size_);
    size_ = 0;
  }

 private:
  static constexpr std::size_t buffer_size = 256;

  std::vector<BoxIndex>& list_;
  std::size_t size_ = 0;
  std::uint32_t buffer_[buffer_size];
};

}  // namespace broadside::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
