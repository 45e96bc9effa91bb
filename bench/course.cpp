#include "course.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <numeric>
#include <string_view>

#include "broadside/scene/random.hpp"
#include "broadside/scene/workload.hpp"
#include "motion.hpp"

namespace broadside::bench {

namespace {

struct Entry {
  std::string_view name;
  std::string_view kind;
  std::uint64_t count;
};

constexpr Entry entries[] = {
    {"U10k", "uniform", 10'000},
    {"U100k", "uniform", 100'000},
    {"U1M", "uniform", 1'000'000},
    {"S100k", "few-movers", 101'000},
    {"C100k", "clusters", 100'000},
    {"P100k", "power-law", 100'000},
    {"pinball", "pinball", 2'005},
    {"circles2k", "circles", 2'000},
    {"circles20k", "circles", 20'000},
    {"circles200k", "circles", 200'000},
    {"line-x", "line-x", 100'000},
    {"line-y", "line-y", 100'000},
    {"stack", "stack", 3'000},
    {"giant", "giant", 100'000},
    {"two-scales", "two-scales", 100'000},
    {"far-away", "far-away", 100'000},
    {"bullets", "bullets", 100'000},
    {"bullets-100", "bullets-100", 100'000},
    {"bullets-1000", "bullets-1000", 100'000},
    {"bullets-million", "bullets-million", 100'000},
    {"object-pool", "object-pool", 100'000},
    {"streaks", "streaks", 100'000},
    {"thin", "thin", 100'000},
    {"walls", "walls", 100'000},
    {"beams-v", "beams-v", 100'000},
    {"beams-h", "beams-h", 100'000},
    {"bars-v", "bars-v", 100'000},
    {"bars-h", "bars-h", 100'000},
    {"comb-v", "comb-v", 100'000},
    {"comb-h", "comb-h", 100'000},
    {"octaves", "octaves", 100'000},
    {"tiny-clusters", "tiny-clusters", 100'000},
    {"dust", "dust", 100'000},
};

constexpr std::array<std::string_view, 4> names_of_orders{"given", "sorted", "shuffled", "alternating"};

constexpr std::uint64_t seed = 1;
constexpr std::string_view trace_ending = ".b2tr.xz";

}  // namespace

std::string_view name_of(Order order) {
  return names_of_orders[static_cast<std::size_t>(order)];
}

std::vector<std::string> order_names() {
  return {names_of_orders.begin(), names_of_orders.end()};
}

std::vector<Course> generated_courses() {
  constexpr std::uint32_t usual_frames = 20;
  constexpr std::uint32_t many_frames = 1000;  // the worst of them is what a player notices
  constexpr std::uint64_t moving = 10'000;
  std::vector<Course> courses;
  for (const Entry& entry : entries) {
    courses.push_back({.name = std::string(entry.name),
                       .kind = std::string(entry.kind),
                       .count = entry.count,
                       .frames = usual_frames});
  }
  for (const Motion& motion : motions()) {
    courses.push_back({.name = std::string(motion.name),
                       .kind = "uniform",
                       .count = moving,
                       .motion = std::string(motion.name),
                       .frames = many_frames});
  }
  return courses;
}

Course recorded_course(const std::string& path) {
  const std::string file = std::filesystem::path(path).filename().string();
  return {.name = file.ends_with(trace_ending) ? file.substr(0, file.size() - trace_ending.size()) : file,
          .path = path};
}

std::vector<Course> recorded_courses(const std::vector<std::string>& directories) {
  std::map<std::string, Course> by_name;
  for (const std::string& directory : directories) {
    for (const auto& file : std::filesystem::directory_iterator(directory)) {
      if (file.path().filename().string().ends_with(trace_ending)) {
        Course course = recorded_course(file.path().string());
        by_name.insert_or_assign(course.name, std::move(course));
      }
    }
  }
  std::vector<Course> courses;
  for (auto& [name, course] : by_name) {
    courses.push_back(std::move(course));
  }
  return courses;
}

Result<Trace> boxes_of(const Course& course, std::size_t frames) {
  if (course.kind.empty()) {
    return read_trace(course.path);
  }
  const Workload workload = make_workload(course.kind, course.count, seed).value();
  const auto count = static_cast<std::uint32_t>(frames);
  return course.motion.empty() ? record_workload(workload, count, seed)
                               : record_motion(workload, course.motion, count, seed);
}

void reorder(Trace& trace, Order order) {
  if (order == Order::given) {
    return;
  }
  const std::size_t n = trace.moving_count();
  const auto first = trace.frame(0);
  std::vector<std::size_t> from(n);
  std::iota(from.begin(), from.end(), std::size_t{0});
  const auto left_to_right = [&](std::size_t a, std::size_t b) { return first[a].min.x < first[b].min.x; };
  if (order == Order::shuffled) {
    Random random(seed);
    for (std::size_t i = n; i > 1; --i) {
      std::swap(from[i - 1], from[random.below(i)]);
    }
  } else {
    std::stable_sort(from.begin(), from.end(), left_to_right);
  }
  if (order == Order::alternating) {
    const auto area = [&](std::size_t i) {
      return (double{first[i].max.x} - first[i].min.x) * (double{first[i].max.y} - first[i].min.y);
    };
    std::vector<std::size_t> by_size = from;
    std::stable_sort(by_size.begin(), by_size.end(),
                     [&](std::size_t a, std::size_t b) { return area(a) < area(b); });
    const auto middle = by_size.begin() + static_cast<std::ptrdiff_t>(n / 2);
    std::stable_sort(by_size.begin(), middle, left_to_right);
    std::stable_sort(middle, by_size.end(), left_to_right);
    for (std::size_t i = 0; i < n; ++i) {
      from[i] = by_size[i % 2 == 0 ? n / 2 + i / 2 : i / 2];
    }
  }
  std::vector<Aabb> moved;
  moved.reserve(trace.moving_boxes.size());
  for (std::size_t frame = 0; frame < trace.frame_count(); ++frame) {
    for (const std::size_t i : from) {
      moved.push_back(trace.frame(frame)[i]);
    }
  }
  trace.moving_boxes = std::move(moved);
}

}  // namespace broadside::bench
