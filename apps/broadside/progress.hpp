#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <thread>

namespace broadside::app {

/// A progress bar on standard error, if that is a terminal; prints nothing to a pipe.
class Progress {
 public:
  Progress(const std::string& what, std::size_t total, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void advance_to(std::size_t done);

  /// Names the work that begins now, which may take long: the first call draws the bar at once.
  void begin(std::size_t done, std::string_view work);

 private:
  void draw(std::size_t done, std::string_view work);
  void clear();

  std::string what_;
  std::size_t total_;
  bool visible_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point last_;
};

/// A sentence on standard error while something without a measure of progress takes longer than a second;
/// prints nothing to a pipe.
class Notice {
 public:
  Notice(const std::string& what, bool quiet);

 private:
  std::jthread thread_;
};

}  // namespace broadside::app
