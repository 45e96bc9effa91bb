#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "broadside/base/function_ref.hpp"
#include "broadside/base/result.hpp"
#include "broadside/distributed/communicator.hpp"
#include "broadside/distributed/global_id.hpp"

namespace broadside::inline v0_2::detail {

/// The contacts that this part reports, and which of them begin and end.
///
/// When two bodies move across a cut, another part reports their contact: it *leaves* one part and *arrives*
/// at another, and neither begins nor ends. So both parts send a notice to the *home* of the pair, a part
/// that its ids select. A contact that only arrives has begun, one that only leaves has ended; the home says
/// so to the part that sent the notice. Contacts whose bodies met one part alone need no notice.
class ContactOwners {
 public:
  explicit ContactOwners(Communicator& others) : others_(others) {}

  /// A contact of this part.
  struct Touching {
    GlobalPair pair;
    bool is_sure = false;  ///< no other part can have reported it in the step before

    friend bool operator<(const Touching& a, const Touching& b) { return a.pair < b.pair; }
  };

  /// Replaces the contacts by those of the next step. Collective.
  /// @param now in any order
  /// @param is_sure tells whether no other part can report a contact that this one no longer has
  Result<void> advance(std::vector<Touching> now, FunctionRef<bool(GlobalPair)> is_sure);
  /// Sets the contacts and events without a step.
  void set(std::vector<GlobalPair> touching, std::vector<GlobalPair> begun, std::vector<GlobalPair> ended);

  // Ascending.
  [[nodiscard]] std::span<const GlobalPair> touching() const { return touching_; }
  [[nodiscard]] std::span<const GlobalPair> begun() const { return begun_; }
  [[nodiscard]] std::span<const GlobalPair> ended() const { return ended_; }

  [[nodiscard]] std::uint64_t notices() const { return notices_; }  ///< sent in the last step
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }      ///< to other parts, answers included

 private:
  enum class What : std::uint8_t { left, arrived };

  void send_notice(std::vector<ByteWriter>& messages, GlobalPair pair, What what);
  Result<std::vector<Communicator::Message>> exchange(std::vector<ByteWriter>& messages);
  Result<void> match(const std::vector<Communicator::Message>& notices);

  Communicator& others_;
  std::vector<GlobalPair> touching_;
  std::vector<GlobalPair> begun_;
  std::vector<GlobalPair> ended_;
  std::uint64_t notices_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace broadside::inline v0_2::detail
