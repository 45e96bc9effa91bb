#include "progress.hpp"

#include <fmt/core.h>

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <stop_token>
#include <system_error>

#include "broadside/scene/file.hpp"
#include "broadside/scene/messages.hpp"

namespace broadside::app {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto interval = std::chrono::milliseconds(100);
constexpr auto patience = std::chrono::seconds(1);
constexpr const char* clear_line = "\r\033[K";

bool is_visible(bool quiet) {
  return !quiet && is_terminal(stderr);
}

}  // namespace

Progress::Progress(const std::string& what, std::size_t total, bool quiet)
    : what_(printable(what)), total_(total), visible_(is_visible(quiet)), last_(Clock::now()) {}

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
  fmt::print(stderr, "{}{} [{:=<{}}{: <{}}] {}/{} {}", clear_line, what_, "", filled, "", width - filled,
             done, total_, work);
  std::fflush(stderr);
  last_ = Clock::now();
  drawn_ = true;
}

void Progress::clear() {
  if (drawn_) {
    fmt::print(stderr, "{}", clear_line);
    std::fflush(stderr);
  }
}

Notice::Notice(const std::string& what, bool quiet) {
  if (!is_visible(quiet)) {
    return;
  }
  const auto work = [text = printable(what)](const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any end;
    std::unique_lock lock(mutex);
    end.wait_for(lock, stop, patience, [] { return false; });
    if (!stop.stop_requested()) {
      std::fprintf(stderr, "%s ...", text.c_str());
      std::fflush(stderr);
      end.wait(lock, stop, [] { return false; });
      std::fputs(clear_line, stderr);
      std::fflush(stderr);
    }
  };
  try {
    thread_ = std::jthread(work);
  } catch (const std::system_error&) {
    // Without a thread the work is done in silence.
  }
}

}  // namespace broadside::app
