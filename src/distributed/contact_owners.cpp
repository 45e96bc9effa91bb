#include "distributed/contact_owners.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "base/hash_mixer.hpp"
#include "distributed/messages.hpp"

namespace broadside::inline v0_2::detail {

void ContactOwners::set(std::vector<GlobalPair> touching, std::vector<GlobalPair> begun,
                        std::vector<GlobalPair> ended) {
  touching_ = std::move(touching);
  begun_ = std::move(begun);
  ended_ = std::move(ended);
}

void ContactOwners::send_notice(std::vector<ByteWriter>& messages, GlobalPair pair, What what) {
  const std::uint64_t hash = HashMixer().add(pair.a.value).add(pair.b.value).short_hash();
  ByteWriter& out = messages[hash % messages.size()];
  out.put(static_cast<std::uint8_t>(what));
  put(out, pair);
  ++notices_;
}

Result<std::vector<Communicator::Message>> ContactOwners::exchange(std::vector<ByteWriter>& messages) {
  for (std::size_t to = 0; to < messages.size(); ++to) {
    bytes_ += to == static_cast<std::size_t>(others_.rank()) ? 0 : messages[to].size();
  }
  return others_.exchange(take_all(messages));
}

Result<void> ContactOwners::advance(std::vector<Touching> now, FunctionRef<bool(GlobalPair)> is_sure) {
  std::sort(now.begin(), now.end());
  std::vector<GlobalPair> pairs;
  pairs.reserve(now.size());
  for (const Touching& contact : now) {
    pairs.push_back(contact.pair);
  }
  begun_.clear();
  ended_.clear();
  notices_ = 0;
  bytes_ = 0;
  std::vector<ByteWriter> messages(static_cast<std::size_t>(others_.size()));
  auto before = touching_.begin();
  for (const Touching& contact : now) {
    before = std::lower_bound(before, touching_.end(), contact.pair);
    if (before != touching_.end() && *before == contact.pair) {
      continue;
    }
    if (contact.is_sure) {
      begun_.push_back(contact.pair);
    } else {
      send_notice(messages, contact.pair, What::arrived);
    }
  }
  std::vector<GlobalPair> left;
  std::set_difference(touching_.begin(), touching_.end(), pairs.begin(), pairs.end(),
                      std::back_inserter(left));
  for (const GlobalPair pair : left) {
    if (is_sure(pair)) {
      ended_.push_back(pair);
    } else {
      send_notice(messages, pair, What::left);
    }
  }
  touching_ = std::move(pairs);
  auto notices = exchange(messages);
  return notices.has_value() ? match(*notices) : notices.error();
}

/// Answers the notices that this part is the home of, and reads the answers to its own.
Result<void> ContactOwners::match(const std::vector<Communicator::Message>& notices) {
  struct Notice {
    GlobalPair pair;
    What what;
    std::size_t from;
  };
  std::vector<Notice> all;
  auto is_read = read_all(notices, "step", [&](ByteReader& in, std::size_t from) {
    const auto what = static_cast<What>(in.take_below<std::uint8_t>(2));
    all.push_back({take_pair(in), what, from});
  });
  if (!is_read.has_value()) {
    return is_read;
  }
  std::sort(all.begin(), all.end(), [](const Notice& a, const Notice& b) {
    return std::tie(a.pair, a.what) < std::tie(b.pair, b.what);
  });
  std::vector<ByteWriter> answers(notices.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i + 1 < all.size() && all[i].pair == all[i + 1].pair) {
      ++i;  // it moved from part to part
      continue;
    }
    answers[all[i].from].put(static_cast<std::uint8_t>(all[i].what));
    put(answers[all[i].from], all[i].pair);
  }
  auto received = exchange(answers);
  if (!received.has_value()) {
    return received.error();
  }
  is_read = read_all(*received, "step", [&](ByteReader& in, std::size_t) {
    const auto what = static_cast<What>(in.take_below<std::uint8_t>(2));
    (what == What::arrived ? begun_ : ended_).push_back(take_pair(in));
  });
  std::sort(begun_.begin(), begun_.end());
  std::sort(ended_.begin(), ended_.end());
  return is_read;
}

}  // namespace broadside::inline v0_2::detail
