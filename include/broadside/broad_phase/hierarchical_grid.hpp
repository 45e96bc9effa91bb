#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "broadside/broad_phase/broad_phase.hpp"
#include "broadside/broad_phase/detail/box_tree.hpp"
#include "broadside/broad_phase/detail/neighbor_list.hpp"
#include "broadside/broad_phase/detail/row_index.hpp"

namespace broadside {

/// Options of a `HierarchicalGrid`. With nothing set it measures the boxes.
struct HierarchicalGridOptions {
  std::optional<float> row_height = {};  ///< of the finest rows; positive and finite (unit: length)
  bool neighbor_lists =
      true;  ///< false for frames that all cost the same, where otherwise most cost much less
};

/// A grid of many cell sizes that picks them by itself. The default.
///
/// Each box belongs to a level by its size, and there to one row; nothing has to be told, sizes may differ by
/// any factor, and the world has no bounds. How it works is drawn at `detail::RowIndex`.
///
/// Boxes that move evenly, or hardly, or not at all keep a list of neighbors instead, for as many frames as
/// they keep to what was expected of them (`detail::NeighborList`); the others are put in place anew in each
/// frame. Static boxes stand in rows of their own, which are sorted again only when an eighth of them has
/// changed. It finds out by itself which way pays, from what it counts, never from a clock.
///
/// Complexity: update and pairs O(n + t) expected for n moving boxes, where t stays near the number of hits
/// unless many boxes share one place; static boxes cost nothing as long as they stay as they are. A box that
/// stays in its neighborhood costs about a tenth of one that is put in place anew. `query_area` O(rows
/// covered · log n + t), and O(log n + t) once many were asked of one state of the boxes, as then they make a
/// tree (`detail::BoxTree`). Memory: 70 to 80 bytes a box, its own 16 included, and 38 more for the tree, if
/// there ever was one. Order: the same on every machine, with every instruction set and any number of
/// threads.
class HierarchicalGrid final : public BroadPhase {
 public:
  HierarchicalGrid() = default;

  /// Makes a grid, or says what is wrong with the options.
  [[nodiscard]] static Result<std::unique_ptr<HierarchicalGrid>> create(
      const HierarchicalGridOptions& options = {});

  [[nodiscard]] std::string_view name() const override { return "hierarchical-grid"; }
  [[nodiscard]] std::vector<Cell> cells() const override;
  [[nodiscard]] std::vector<Cell> query_cells() const override;
  [[nodiscard]] std::string tuning() const override;

 private:
  explicit HierarchicalGrid(const HierarchicalGridOptions& options);

  void on_added(std::span<const BoxIndex> indices) override;
  [[nodiscard]] bool are_valid(const detail::Moves& moves) override;
  void before_move(const detail::Moves& moves) override;
  void forget_all() override;
  void on_moved(std::span<const BoxIndex> /*indices*/) override {}
  void on_removed(BoxIndex index) override;
  void on_filter_changed(BoxIndex index) override;
  void on_class_reused(std::uint16_t filter_class) override;
  [[nodiscard]] bool filters() const override { return true; }
  void bring_up_to_date() override;
  void collect_pairs(detail::PairBuffer& pairs) override;
  void collect_pairs_of(std::span<const BoxIndex> asked, detail::PairBuffer& pairs) override;
  void collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const override;
  void collect_apart(const Aabb& area, std::vector<BoxIndex>& within,
                     std::vector<BoxIndex>& crossing) const override;
  [[nodiscard]] float typical_cell_size() const override;
  [[nodiscard]] bool go_outward(const detail::NearQuery& query, detail::NearestScratch& scratch,
                                detail::VisitNear visit) const override;
  void walk(const detail::SweptBox& path, detail::SweptBoxScratch& scratch,
            detail::VisitSwept visit) const override;
  [[nodiscard]] bool is_stale() const override { return changed_; }
  [[nodiscard]] std::size_t structure_bytes() const override;

  // Putting a lively box in place and asking all around it, in units of putting one in place.
  static constexpr double price_of_active = 10.0;
  // The share of boxes that would keep their lists which makes lists worth it.
  static constexpr double min_stable = 0.93;
  // For each box; a candidate costs more than a test within a sweep.
  static constexpr std::size_t max_candidates = 16;

  /// Where a box stands.
  enum class Place : std::uint8_t {
    nowhere,       ///< the slot holds no box
    fixed,         ///< static, in the rows that stay
    recent,        ///< static, in the small rows of those that came lately
    neighborhood,  ///< moving, with a list of neighbors
    active,        ///< moving, put in place anew in each frame
    counted,       ///< while lists are tidied
    too_fast,      ///< while neighborhoods are made anew
  };
  /// A box that left its neighborhood in this frame.
  struct Leaver {
    BoxIndex index;
    Aabb before;
  };

  void regrow(std::span<const BoxIndex> indices, std::span<const Aabb> boxes);
  void enter(BoxIndex index);
  void forget(BoxIndex index);
  void list(std::vector<BoxIndex>& list, BoxIndex index);
  void tidy(std::vector<BoxIndex>& list, Place place);
  void update_filters();
  void update_static_rows();
  void insert_static(std::span<const BoxIndex> newcomers);
  void purge_candidates();
  void collect_pairs_of_waiting(detail::PairBuffer& pairs);
  void choose_neighborhoods();
  [[nodiscard]] double stable_share() const;
  void make_neighborhoods();
  [[nodiscard]] bool is_too_dense();
  void end_neighborhoods();
  void disable_neighbor_lists();
  void build(detail::RowIndex& rows, std::span<const BoxIndex> names);
  /// Adds to what the last `find_pairs` took.
  void count(const detail::Work& work);
  /// Adds to what the last update took.
  void count_update(const detail::Work& work);
  void pay_for(double height) const;
  [[nodiscard]] std::uint32_t* watched_looks() const;
  template <typename VisitRows>
  void visit_rows(const VisitRows& visit) const;
  void drop_dated(std::vector<BoxIndex>& names, std::size_t first, Place place) const;
  /// Appends what was found of `raw_` in rows of which some entries are out of date: those stand elsewhere
  /// than at `place` by now.
  void collect_pairs(Place place, detail::PairBuffer& pairs);

  HierarchicalGridOptions options_;
  std::vector<Place> places_;  ///< [slots]
  bool changed_ = false;       ///< since the last update
  bool active_changed_ = false;
  bool recent_changed_ = false;
  bool static_changed_ = false;
  bool make_anew_ = false;  ///< the neighborhoods, at the next update; members are grown for it already
  bool left_ = false;       ///< boxes were removed from the lists below
  bool waiting_changed_ = false;
  bool candidates_are_sorted_ = false;  ///< but for those that came since; as soon as all pairs are wanted so
  std::size_t movers_ = 0;
  std::size_t outdated_ = 0;  ///< entries of the settled rows that stand elsewhere by now

  detail::RowIndex static_rows_;
  detail::RowIndex recent_rows_;
  detail::RowIndex waiting_rows_;
  detail::RowIndex active_rows_;
  detail::RowIndex asked_rows_;  ///< of the last `find_pairs_of`
  detail::NeighborList neighbors_;
  std::vector<BoxIndex> recent_;
  std::vector<BoxIndex> newcomers_;  ///< of the fresh ones, those of this frame
  std::vector<BoxIndex> waiting_;    ///< static, in retired slots: looked up in each frame until a purge
  std::vector<BoxIndex> active_;
  std::vector<BoxIndex> members_;  ///< of neighborhoods, those that left since included
  std::vector<Leaver> leavers_;

  float small_size_ = 0.0F;  ///< as measured among lively boxes
  std::uint32_t age_ = 0;    ///< frames since neighborhoods were made
  double spent_ = 0.0;       ///< since then, on lively boxes that could have one (unit: putting one in place)
  double active_cost_ = 0.0;    ///< since then, of all lively boxes
  double retired_cost_ = 0.0;   ///< of retired slots, since candidates were purged or made (unit: test)
  std::uint32_t failures_ = 0;  ///< in a row: neighborhoods that did not pay
  std::uint32_t pause_ = 0;     ///< frames before they are tried again

  bool filtered_ = false;
  std::vector<detail::FilterBits> filter_bits_;  ///< [classes]
  std::vector<std::uint16_t> reused_classes_;    ///< whose bits are those of what they were before
  std::size_t reuses_ = 0;                       ///< of classes, since all were compared
  std::span<const std::uint16_t> classes_;       ///< [slots] where filtered, as of the last update

  detail::BoxTree tree_;

  std::vector<BoxIndex> names_;  ///< scratch
  detail::PairBuffer raw_;
};

}  // namespace broadside
