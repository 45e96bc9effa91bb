#include "distributed/bullet_groups.hpp"

#include <algorithm>
#include <numeric>

#include "base/by_key.hpp"
#include "base/bytes.hpp"
#include "broadside/broad_phase/find_pairs.hpp"
#include "distributed/messages.hpp"

namespace broadside::inline v0_2::detail {

Result<BulletGroups> BulletGroups::gather(Communicator& others, std::span<const Bullet> own,
                                          const Partition& partition) {
  ByteWriter out;
  for (const Bullet& bullet : own) {
    out.put(bullet.id.value);
    out.put_words(bullet.box);
  }
  auto gathered = others.all_gather(out.bytes());
  if (!gathered.has_value()) {
    return gathered.error();
  }
  std::vector<Bullet> all;
  const auto is_read = read_all(*gathered, "step", [&](ByteReader& in, std::size_t) {
    const GlobalId id{in.take<std::uint64_t>()};
    all.push_back({id, in.take_words<Aabb>()});
    in.fail_if(!is_valid(all.back().box));
  });
  if (!is_read.has_value()) {
    return is_read.error();
  }
  std::sort(all.begin(), all.end(), by_key(&Bullet::id));
  BulletGroups groups;
  for (const Bullet& bullet : all) {
    groups.ids_.push_back(bullet.id);
    groups.boxes_.push_back(bullet.box);
  }
  groups.find_groups(partition);
  return groups;
}

/// Joins the bullets whose boxes overlap. Each group is a tree whose root is its least bullet.
void BulletGroups::find_groups(const Partition& partition) {
  std::vector<std::uint32_t> parents(boxes_.size());
  std::iota(parents.begin(), parents.end(), 0U);
  const auto root_of = [&](std::uint32_t bullet) {
    while (parents[bullet] != bullet) {
      parents[bullet] = parents[parents[bullet]];
      bullet = parents[bullet];
    }
    return bullet;
  };
  for (const Pair pair : find_pairs(boxes_).value()) {  // `gather` checked the boxes
    const auto [least, other] = std::minmax({root_of(pair.a), root_of(pair.b)});
    parents[other] = least;
  }
  std::vector<Aabb> hulls = boxes_;
  for (std::uint32_t i = 0; i < boxes_.size(); ++i) {
    Aabb& hull = hulls[root_of(i)];
    hull = merge(hull, boxes_[i]);
  }
  for (std::uint32_t i = 0; i < boxes_.size(); ++i) {
    owners_.push_back(partition.part_of(hulls[root_of(i)].min));
  }
}

int BulletGroups::owner_of(GlobalId bullet) const {
  const auto at = std::lower_bound(ids_.begin(), ids_.end(), bullet);
  return owners_[static_cast<std::size_t>(at - ids_.begin())];
}

std::vector<std::pair<std::uint32_t, int>> BulletGroups::find_owners(std::span<const Aabb> boxes) const {
  std::vector<std::pair<std::uint32_t, int>> owners;
  for (const auto& [box, bullet] : find_pairs(boxes, boxes_).value()) {
    owners.emplace_back(box, owners_[bullet]);
  }
  std::sort(owners.begin(), owners.end());
  owners.erase(std::unique(owners.begin(), owners.end()), owners.end());
  return owners;
}

}  // namespace broadside::inline v0_2::detail
