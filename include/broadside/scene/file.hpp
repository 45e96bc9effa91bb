#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

#include "broadside/base/result.hpp"

namespace broadside {

/// Reads a whole file; "-" is the standard input. Larger files than `max_bytes` are refused (`too_large`).
[[nodiscard]] Result<std::string> read_file(const std::string& path, std::uint64_t max_bytes);

/// Reads a file piece by piece, handing each to `take` until it returns an error; "-" is the standard input.
[[nodiscard]] Result<void> read_file_in_pieces(const std::string& path,
                                               const std::function<Result<void>(std::string_view)>& take);

/// Returns the directory that a file is in, such as "."; an empty string for the standard input.
[[nodiscard]] std::string directory_of(const std::string& path);

/// A file that appears whole or not at all.
///
/// What is written goes to a file beside the target; `commit` flushes, syncs and renames it into place.
/// Without a commit the destructor removes it, and the target is as it was. Only regular files are replaced:
/// a device or a pipe is written to directly, "-" is the standard output.
class OutputFile {
 public:
  /// Opens the file, so that an unwritable target is known before any work is done for it.
  [[nodiscard]] static Result<OutputFile> open(const std::string& path);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  /// Appends bytes. An error stays: `commit` reports it.
  void write(std::string_view bytes);

  /// Puts the file into place, or says why it could not be.
  [[nodiscard]] Result<void> commit();

 private:
  OutputFile() = default;

  std::string target_;
  std::string unfinished_;  ///< empty where the target is written to directly
  std::FILE* file_ = nullptr;
  int error_number_ = 0;
};

/// Removes the unfinished files of all `OutputFile`s. Safe to call in a signal handler.
void remove_unfinished_files() noexcept;

/// Makes the process leave no half file behind when it is interrupted, terminated, hung up on, or nobody
/// reads on: what a program calls first. Signals that are ignored stay so.
void remove_unfinished_files_on_signals();

}  // namespace broadside
