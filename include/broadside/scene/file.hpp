#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

#include "broadside/base/result.hpp"

namespace broadside {

/// Reads a whole file; "-" is the standard input. A file larger than `max_bytes` is refused (`too_large`).
[[nodiscard]] Result<std::string> read_file(const std::string& path, std::uint64_t max_bytes);

/// Passes the pieces of a file to `take` until it returns an error; "-" is the standard input.
[[nodiscard]] Result<void> read_file_in_pieces(const std::string& path,
                                               const std::function<Result<void>(std::string_view)>& take);

/// Returns the directory of a file, such as "."; an empty string for the standard input.
[[nodiscard]] std::string directory_of(const std::string& path);

/// A file that is replaced atomically.
///
/// Writes go to a temporary file beside the target; `commit` flushes, syncs and renames it. Without a commit
/// the destructor removes it, and the target is unchanged. Only regular files are replaced: a device or a
/// pipe is written directly; "-" is the standard output.
class OutputFile {
 public:
  /// Opens the file, so that an unwritable target is reported before any work is done.
  [[nodiscard]] static Result<OutputFile> open(const std::string& path);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  /// Appends bytes. `commit` reports the first error.
  void write(std::string_view bytes);

  /// Renames the file to the target, or returns the first error.
  [[nodiscard]] Result<void> commit();

 private:
  OutputFile() = default;

  std::string target_;
  std::string unfinished_;  ///< empty if the target is written directly
  std::FILE* file_ = nullptr;
  int error_number_ = 0;
};

/// Removes the temporary files of all `OutputFile`s. Safe to call in a signal handler.
void remove_unfinished_files() noexcept;

/// Installs signal handlers that remove the temporary files before the process ends.
///
/// To be called first in a program; handles interrupt, termination, hang-up and broken pipe. Signals that are
/// ignored stay ignored.
void remove_unfinished_files_on_signals();

}  // namespace broadside
