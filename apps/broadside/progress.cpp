#include "progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>

namespace broadside::app {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto interval = std::chrono::milliseconds(100);

}  // namespace

Progress::Progress(std::string what, std::size_t total, bool quiet)
    : what_(std::move(what)),
      total_(total),
      visible_(!quiet && ::isatty(STDERR_FILENO) != 0),
      last_(Clock::now()) {}

Progress::~Progress() {
  clear();
}

void Progress::advance_to(std::size_t done) {
  if (Clock::now() - last_ >= interval) {
    draw(done, "");
  }
}

void Progress::begin(std::size_t done, std::string_view work) {
  if (!drawn_ || Clock::now() - last_ >= interval) {
    draw(done, work);
  }
}

void Progress::draw(std::size_t done, std::string_view work) {
  if (!visible_ || total_ == 0) {
    return;
  }
  constexpr std::size_t width = 30;
  const std::size_t filled = width * done / total_;
  fmt::print(stderr, "\r\033[K{} [{:=<{}}{: <{}}] {}/{} {}", what_, "", filled, "", width - filled, done,
             total_, work);
  std::fflush(stderr);
  last_ = Clock::now();
  drawn_ = true;
}

void Progress::clear() {
  if (drawn_) {
    fmt::print(stderr, "\r\033[K");
    std::fflush(stderr);
  }
}

}  // namespace broadside::app
