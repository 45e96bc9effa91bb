#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "boxes.hpp"
#include "broadside/base/tasks.hpp"
#include "broadside/world/world.hpp"
#include "world/world_model.hpp"

namespace broadside::test {

/// One operation of a random program; all that it needs beyond its kind is drawn from `seed`.
struct Operation {
  std::uint32_t what = 0;  ///< any number
  std::uint32_t seed = 0;

  friend std::ostream& operator<<(std::ostream& stream, const Operation& one) {
    return stream << '{' << one.what << ", " << one.seed << '}';
  }
};

constexpr std::uint32_t operation_kinds = 37;

/// What a program is run on.
struct Setting {
  Interest interest = Interest::all;
  std::string_view technique = {};  ///< the default if empty
  std::size_t threads = 1;
  std::uint32_t tags = 4;  ///< how many different ones there are
};

/// Runs operations on a world and on its model, side by side, and looks for a difference.
class WorldProgram {
 public:
  explicit WorldProgram(const Setting& setting);

  /// Runs one operation; returns what differs after it, or nothing.
  std::string run(const Operation& operation);

  /// Returns a hash of all that came out, ids of worlds left out.
  [[nodiscard]] std::uint64_t digest() const { return digest_; }

 private:
  struct Heard {
    Call call;
    ErrorCode code = ErrorCode::none;  ///< of the change that the listener made

    friend bool operator==(const Heard& a, const Heard& b) = default;
  };
  /// What a listener does when it is called.
  struct Reaction {
    std::optional<Change> change = {};
    std::optional<ListenerKind> listens = {};
    std::optional<std::uint32_t> silences = {};  ///< a listener
  };

  std::string run_kind(std::uint32_t what, Random& random);
  std::string change(const Change& change);
  std::string take_back(Random& random);
  std::string change_while_locked(const Change& change, Random& random);
  std::string step(Random& random);
  std::string step_in_stages(float seconds, Random& random);
  std::string check_tell();
  std::string check_touches();
  std::string check_bodies();
  std::string settle();
  std::string ask_of_touches(Random& random);
  std::string query(Random& random);
  void set_predicate(std::uint32_t kind);

  [[nodiscard]] Change random_change(Change::Kind kind, Random& random, BodyId a, BodyId b) const;
  [[nodiscard]] NewBody random_body(Random& random) const;
  [[nodiscard]] ListenerKind random_listener(Random& random) const;
  [[nodiscard]] std::string random_tag(Random& random) const;
  [[nodiscard]] BodyId pick(Random& random) const;
  [[nodiscard]] Reaction react(const Call& call, const std::vector<BodyId>& bodies) const;
  [[nodiscard]] QueryFilter random_query_filter(Random& random) const;
  void listen_in_world(const ListenerKind& kind);
  void hear(const Call& call);
  void note(std::uint64_t value) { digest_ = (digest_ ^ value) * 0x100000001b3U; }
  void note(BodyId id) { note((std::uint64_t{id.generation} << 32U) | id.index); }
  void note(Vec2 v);

  Setting setting_;
  std::unique_ptr<ThreadPool> pool_;
  World world_;
  World other_;
  BodyId foreign_;
  WorldModel model_;
  std::vector<World::ListenerId> listeners_;
  std::vector<Heard> heard_;
  bool muted_ = false;                      ///< what listeners hear is of no interest
  std::vector<std::vector<BodyId>> given_;  ///< what the world added while it told
  std::vector<BodyId> ever_;
  std::uint64_t digest_ = 0xcbf29ce484222325U;
};

/// Makes a change to a world; appends what it added to `given`.
ErrorCode make(World& world, const Change& change, std::vector<BodyId>& given);

}  // namespace broadside::test
