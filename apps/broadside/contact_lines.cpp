#include "contact_lines.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace broadside::app {

namespace {

/// Appends a number with the fewest digits that read back as the same number.
template <typename Number>
void append(std::string& text, char separator, Number number) {
  std::array<char, 32> digits{};
  text += separator;
  text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

}  // namespace

ContactLines::ContactLines(OutputFile& file) : file_(file) {
  file_.write("step,a,b,normal_x,normal_y,point_x,point_y,separation,feature\n");
}

void ContactLines::write(std::size_t step, std::span<const Contact> contacts, const Frames& frames) {
  constexpr std::size_t block = 1U << 20U;
  named_.clear();
  for (const Contact& contact : contacts) {
    Named named{frames.id(contact.pair.a), frames.id(contact.pair.b), contact.manifold};
    if (named.b < named.a) {
      std::swap(named.a, named.b);
      named.manifold.normal = Vec2{} - named.manifold.normal;
    }
    named_.push_back(named);
  }
  std::sort(named_.begin(), named_.end(), [](const Named& left, const Named& right) {
    return std::pair{left.a, left.b} < std::pair{right.a, right.b};
  });
  text_.clear();
  for (const auto& [a, b, manifold] : named_) {
    for (const ManifoldPoint& point : manifold.in_use()) {
      text_ += std::to_string(step);
      append(text_, ',', a);
      append(text_, ',', b);
      for (const float value :
           {manifold.normal.x, manifold.normal.y, point.position.x, point.position.y, point.separation}) {
        append(text_, ',', value + 0.0F);  // no -0
      }
      append(text_, ',', point.feature);
      text_ += '\n';
    }
    if (text_.size() >= block) {
      file_.write(text_);
      text_.clear();
    }
  }
  file_.write(text_);
}

}  // namespace broadside::app
