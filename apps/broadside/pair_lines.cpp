#include "pair_lines.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace broadside::app {

namespace {

void append_number(std::string& text, std::uint64_t number) {
  std::array<char, 20> digits{};
  text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

}  // namespace

void PairLines::write(std::string_view prefix, std::span<const Pair> pairs,
                      const std::function<std::uint64_t(BoxIndex)>& id) {
  named_.clear();
  for (const Pair& pair : pairs) {
    named_.emplace_back(std::minmax({id(pair.a), id(pair.b)}));
  }
  write_named(prefix);
}

void PairLines::write(std::span<const Pair> pairs, const BoxList& left, const BoxList& right) {
  named_.clear();
  for (const Pair& pair : pairs) {
    named_.emplace_back(left.ids[pair.a], right.ids[pair.b]);
  }
  write_named("");
}

void PairLines::write_named(std::string_view prefix) {
  constexpr std::size_t block = 1U << 20U;
  if (sorted_ && !std::is_sorted(named_.begin(), named_.end())) {
    std::sort(named_.begin(), named_.end());
  }
  text_.clear();
  for (const auto& [a, b] : named_) {
    text_ += prefix;
    append_number(text_, a);
    text_ += ',';
    append_number(text_, b);
    text_ += '\n';
    if (text_.size() >= block) {
      file_.write(text_);
      text_.clear();
    }
  }
  file_.write(text_);
}

}  // namespace broadside::app
