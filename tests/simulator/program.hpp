#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "boxes.hpp"
#include "broadside/base/tasks.hpp"
#include "broadside/world/recording.hpp"
#include "broadside/world/world.hpp"
#include "fnv_hash.hpp"
#include "forced_switches.hpp"
#include "simulator/draw.hpp"
#include "simulator/in_parts.hpp"
#include "simulator/model.hpp"
#include "simulator/setting.hpp"

namespace broadside::test::simulator {

/// The exception that callbacks throw.
struct Thrown {};

/// One operation of a random program; everything except its kind is drawn from `seed`.
struct Operation {
  std::uint32_t what = 0;  ///< any number; `name_of` returns its kind
  std::uint32_t seed = 0;
};

/// Returns the name of the kind of an operation.
[[nodiscard]] std::string_view name_of(std::uint32_t what);

/// Returns the `what` of the first operation of a kind, by its name; there must be one.
[[nodiscard]] std::uint32_t operation(std::string_view name);

/// Runs operations on a world and on its model, side by side, and compares the results.
///
/// The caller chooses the instruction set, which is global to the process. So are switches, which `Program`
/// forces itself.
class Program {
 public:
  explicit Program(const Setting& setting);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() = default;

  /// Runs one operation; returns a description of the first difference, or nothing.
  std::string run(const Operation& operation);
  /// Repeats all in parts, if the setting has some; returns the first difference, or nothing.
  std::string repeat_in_parts();
  /// Describes the last operation: its kind, body and numbers.
  [[nodiscard]] const std::string& last() const { return words_; }
  /// Returns a hash of all results so far, without ids of worlds: it is independent of the technique, the
  /// threads and the instruction set.
  [[nodiscard]] std::uint64_t digest() const { return digest_.value(); }

  /// Numbers of operations and comparisons.
  struct Counts {
    std::uint64_t operations = 0;
    std::uint64_t steps = 0;        ///< of the world
    std::uint64_t comparisons = 0;  ///< contacts, ends, calls, bodies and query results
    std::uint64_t contacts = 0;
    std::uint64_t failed_allocations = 0;
    std::uint64_t exceptions = 0;
    std::uint64_t replays = 0;
    std::uint64_t slides = 0;
    std::uint64_t steps_in_parts = 0;
    std::uint64_t decisions = 0;  ///< pairs that touch or may touch
    std::uint64_t undecided = 0;  ///< of these, pairs that rounding decides
  };
  [[nodiscard]] Counts counts() const;

 private:
  struct Heard {
    Call call;
    ErrorCode code = ErrorCode::none;  ///< result of the change that the listener made

    friend bool operator==(const Heard& a, const Heard& b) = default;
  };
  /// The reaction of a listener to a call.
  struct Reaction {
    std::optional<Change> change = {};
    std::optional<ListenerKind> listens = {};
    std::optional<std::uint32_t> silences = {};  ///< index of a listener to remove
  };
  friend struct Kinds;

  // program.cpp: changes.
  std::string change(std::uint32_t kind, Random& random);
  std::string apply(const Change& change, Random& random);
  std::string disturb_all(Random& random);
  std::string change_while_locked(Random& random);
  std::string add_listener(Random& random);
  std::string remove_listener(Random& random);
  std::string change_predicate(Random& random);
  std::string change_technique(Random& random);
  std::string change_threads(Random& random);
  std::string change_switches(Random& random);
  // program_step.cpp
  std::string step(Random& random);
  std::string step_in_stages(Random& random);
  std::string step_often(Random& random);
  std::string run_step(float seconds, Random& random);
  std::string detect_in_model();
  std::string probe_motion(float seconds);
  std::string settle();
  void end_step(float seconds);
  // program_checks.cpp
  std::string check_tell();
  std::string check_touches();
  std::string check_contact(const BodyContact& contact, const Model::Touch& touch);
  std::string check_ends();
  /// Returns a description of why two bodies do not touch, as far as the model knows.
  [[nodiscard]] std::string why_not(BodyId a, BodyId b) const;
  std::string check_bodies();
  std::string ask_of_touches(Random& random);
  // program_questions.cpp
  std::string query(Random& random);
  std::string ask_for_bodies(Random& random, const QueryFilter& filter);
  std::string ask_along_a_way(Random& random, const QueryFilter& filter, bool with_shape);
  std::string ask_for_nearest(Random& random, const QueryFilter& filter);
  // program_states.cpp: the whole state, recordings, `move_and_slide`.
  std::string take_back(Random& random);
  std::string move_to_another_world(Random& random);
  std::string record(Random& random);
  std::string finish_recording();
  std::string slide(Random& random);

  /// Makes a call, half of the time with a few allocations allowed only: if one fails, the world must be
  /// unchanged, and the call is repeated.
  std::string in_little_memory(Random& random, std::string_view name, const std::function<void()>& call);
  [[nodiscard]] BodyId pick(Random& random) const;
  [[nodiscard]] Reaction react(const Call& call, const std::vector<BodyId>& bodies) const;
  [[nodiscard]] QueryFilter query_filter(Random& random) const;
  void set_predicate(World& world, bool can_throw);
  void listen_in_world(std::uint32_t number, const ListenerKind& kind);
  void equip(World& world);
  void silence(std::uint32_t listener);
  void hear(const Call& call);
  void note(std::uint64_t value) { digest_.add(value); }
  void note(BodyId id) { note((std::uint64_t{id.generation} << 32U) | id.index); }
  void note(Vec2 v);

  Setting setting_;
  ForcedSwitches forced_;
  Draw draw_;
  std::unique_ptr<ThreadPool> pool_;
  std::unique_ptr<Recording> recording_;  ///< outlives the world that writes to it
  World world_;
  World other_;
  BodyId foreign_;
  Model model_;
  std::vector<ListenerId> listeners_;
  std::vector<std::optional<ListenerKind>> listener_kinds_;  ///< nothing after removal
  std::vector<Heard> heard_;
  bool muted_ = false;                      ///< calls of listeners are not recorded
  std::vector<std::vector<BodyId>> given_;  ///< ids of bodies added by each call of a listener
  std::vector<BodyId> ever_;
  std::string_view technique_;
  bool has_threads_ = false;
  std::uint32_t predicate_ = 0;             ///< number of the predicate; 0 for none
  std::optional<std::uint32_t> throws_in_;  ///< calls until the predicate throws
  std::optional<std::uint32_t> listener_throws_in_;
  InParts in_parts_;
  std::optional<std::uint64_t> last_step_;  ///< hash after the last step since the recording began
  std::string words_;
  FnvHash digest_;
  Counts counts_;
};

/// Returns the parts as one string.
template <typename... Parts>
std::string words(const Parts&... parts) {
  std::ostringstream stream;
  stream.precision(9);
  (stream << ... << parts);
  return stream.str();
}

}  // namespace broadside::test::simulator
