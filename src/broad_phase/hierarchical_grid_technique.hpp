#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "box_tree.hpp"
#include "broadside/broad_phase/hierarchical_grid.hpp"
#include "neighbor_list.hpp"
#include "row_index.hpp"
#include "tracking_technique.hpp"

namespace broadside::inline v0_2::detail {

/// The technique of a `HierarchicalGrid`: which rows and lists hold which box, and when they are rebuilt.
class HierarchicalGridTechnique final : public TrackingTechnique {
 public:
  explicit HierarchicalGridTechnique(const HierarchicalGridOptions& options) : options_(options) {}

  [[nodiscard]] std::string_view name() const override { return "hierarchical-grid"; }

 private:
  void visit_cells(CellVisitor visit) const override;
  [[nodiscard]] std::vector<Cell> query_cells() const override;
  [[nodiscard]] std::string tuning() const override;
  void on_added(std::span<const BoxIndex> indices) override;
  [[nodiscard]] bool are_valid(const Moves& moves) override;
  void before_move(const Moves& moves) override;
  void clear() override;
  void on_removed(BoxIndex index) override;
  void on_filter_changed(BoxIndex index) override;
  void on_kind_reused(std::uint16_t /*number*/) override { kinds_changed_ = true; }
  [[nodiscard]] bool applies_filters() const override { return store().kinds().size() <= filter_bit_count; }
  void update() override;
  void collect_pairs(PairBuffer& pairs) override;
  void collect_pairs_of(const Request& request, PairBuffer& pairs) override;
  void collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const override;
  void collect_split(const Aabb& area, std::vector<BoxIndex>& within,
                     std::vector<BoxIndex>& crossing) const override;
  [[nodiscard]] float typical_cell_size() const override;
  [[nodiscard]] bool visit_nearest(const NearQuery& query, NearestScratch& scratch,
                                   VisitNear visit) const override;
  void visit_along_path(const SweptBox& path, std::uint64_t layers, SweptBoxScratch& scratch,
                        VisitSwept visit) const override;
  [[nodiscard]] bool is_stale() const override { return changed_ && !tree_.is_built(); }
  void add_query_cost(std::size_t cost) const override;
  [[nodiscard]] std::size_t bytes() const override;

  // Of inserting an active box and searching around it (unit: inserting a box).
  static constexpr double cost_of_active = 10.0;
  // Neighbor lists pay off if at least this share of the boxes would keep them.
  static constexpr double min_stable = 0.93;
  // Of boxes, to find the motion that all have in common.
  static constexpr std::size_t motion_samples = 64;
  // Per box; a candidate costs more than a test within a sweep.
  static constexpr std::size_t max_candidates = 16;

  /// The structure that holds a box.
  enum class Place : std::uint8_t {
    nowhere,       ///< the slot holds no box
    fixed,         ///< static, in `static_rows_`
    recent,        ///< static, added recently, in `recent_rows_`
    neighborhood,  ///< moving, with a neighbor list
    active,        ///< moving, re-inserted every frame
    counted,       ///< a temporary mark of `tidy`
  };
  /// A box that left its grown box in this frame.
  struct Leaver {
    BoxIndex index;
    Aabb before;
  };

  /// Returns whether these are all boxes, and none is static.
  [[nodiscard]] bool all_move_in(const Moves& moves) const {
    return moves.indices.size() == store().size() && movers_ == store().size();
  }
  [[nodiscard]] Vec2 common_motion(const Moves& moves);
  /// Adds the motion of a box to `sampled_`, if it is finite.
  void add_motion(const Aabb& before, const Aabb& now);
  void regrow(const Moves& moves);
  void provide_memory();
  void enter(BoxIndex index);
  void forget(BoxIndex index);
  void append(std::vector<BoxIndex>& list, BoxIndex index);
  void tidy(std::vector<BoxIndex>& list, Place place);
  void update_filters();
  void update_static_rows();
  void insert_static();
  void update_neighbor_lists();
  [[nodiscard]] double stable_share(std::size_t samples);
  void build_neighbor_lists();
  [[nodiscard]] bool is_too_dense();
  void clear_neighbor_lists();
  void disable_neighbor_lists();
  void build(RowIndex& rows, std::span<const BoxIndex> names);
  /// Adds to the statistics of the last `find_pairs`.
  void count(const Work& work);
  /// Adds to the statistics of the last update.
  void count_update(const Work& work);
  void charge_queries(double height) const;
  void reset_tree() { tree_.reset(store().size(), store().slot_count()); }
  void find_in_tree(const BoxTree::View& tree, const Aabb& area, std::vector<BoxIndex>& within,
                    std::vector<BoxIndex>& crossing) const;
  /// Returns the tree, if it is built.
  [[nodiscard]] std::optional<BoxTree::View> tree() const;
  template <typename Find>
  void find_in_rows(std::vector<BoxIndex>& names, const Find& find) const;
  /// Appends those pairs of `raw_`, found in the rows of `place`, whose boxes overlap. Leaves out candidates,
  /// and pairs from outdated entries: of boxes that are not at `place` any more.
  void collect_pairs(Place place, PairBuffer& pairs);

  HierarchicalGridOptions options_;
  std::vector<Place> places_;  ///< [slots]
  bool changed_ = false;       ///< since the last update
  bool active_changed_ = false;
  bool recent_changed_ = false;
  bool static_changed_ = false;
  bool rebuild_lists_ = false;  ///< rebuild neighbor lists at the next update; members are grown already
  bool left_ = false;           ///< some boxes of the lists below are elsewhere by now
  bool awaiting_purge_changed_ = false;
  bool moved_together_ = false;         ///< in the last call that moved boxes, all did, and none is static
  bool candidates_are_sorted_ = false;  ///< except for those added since; only if sorted pairs are wanted
  std::size_t movers_ = 0;
  std::size_t provided_ = 0;  ///< movers for which memory is provided
  std::size_t outdated_ = 0;  ///< entries of `static_rows_` whose boxes are elsewhere by now

  RowIndex static_rows_{options_.row_height};
  RowIndex recent_rows_{options_.row_height};
  RowIndex waiting_rows_{options_.row_height};
  RowIndex active_rows_{options_.row_height};
  RowIndex requested_rows_{options_.row_height};  ///< of the last `find_pairs_of`
  NeighborList neighbors_{options_.row_height};
  std::vector<BoxIndex> recent_;
  std::vector<BoxIndex> added_;           ///< the boxes of `recent_` that were added in this frame
  std::vector<BoxIndex> awaiting_purge_;  ///< static, in retired slots: searched every frame until a purge
  std::vector<BoxIndex> active_;
  std::vector<BoxIndex> members_;  ///< with neighbor lists, including boxes that left since
  std::vector<Leaver> leavers_;
  Vec2 motion_;  ///< of all boxes in the last frame, apart from their own
  bool follow_ =
      false;  ///< when lists were built, all boxes had a motion in common: look for it in each frame

  float small_size_ = 0.0F;    ///< as measured among active boxes
  std::uint32_t age_ = 0;      ///< frames since neighbor lists were built
  double spent_ = 0.0;         ///< since then, on active boxes that could have a list (unit: inserting a box)
  double active_cost_ = 0.0;   ///< since then, on all active boxes
  double retired_cost_ = 0.0;  ///< of retired slots, since candidates were purged or built (unit: test)
  std::uint32_t failures_ = 0;  ///< in a row: neighbor lists that did not pay off
  std::uint32_t pause_ = 0;     ///< frames before they are tried again

  bool filtered_ = false;
  bool kinds_changed_ = false;                   ///< some numbers belong to other kinds by now
  std::vector<FilterBits> filter_bits_;          ///< [kinds]
  std::span<const std::uint16_t> kind_numbers_;  ///< [slots] if filtered, as of the last update

  BoxTree tree_;

  std::vector<std::vector<BoxIndex>> changed_places_;  ///< [chunks] scratch of `regrow`
  std::vector<BoxIndex> names_;                        ///< scratch
  std::vector<Aabb> sample_;                           ///< of `is_too_dense`
  std::vector<Vec2> sampled_;                          ///< motions, scratch
  std::vector<Aabb> moved_;  ///< [slots] scratch: boxes in the frame in which the lists were built
  PairBuffer raw_;
};

}  // namespace broadside::inline v0_2::detail
