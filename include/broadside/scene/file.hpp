#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

#include "broadside/base/result.hpp"

namespace broadside::inline v0_2 {

/// Reads a whole file; "-" is the standard input. A file larger than `max_bytes` is refused (`too_large`).
[[nodiscard]] Result<std::string> read_file(const std::string& path, std::uint64_t max_bytes);

/// Passes the pieces of a file to `take` until it returns an error; "-" is the standard input.
[[nodiscard]] Result<void> read_file_in_pieces(const std::string& path,
                                               const std::function<Result<void>(std::string_view)>& take);

/// Returns the directory of a file, such as "."; an empty string for the standard input.
[[nodiscard]] std::string directory_of(const std::string& path);

/// Returns whether a stream, such as `stdin`, is a terminal: someone types or reads there.
[[nodiscard]] bool is_terminal(std::FILE* stream);

/// A file that is replaced as a whole.
///
/// Writes go to a temporary file `broadside-*.tmp` beside the target; `commit` flushes, syncs and renames it,
/// so a reader sees the old file or the new one. Without a commit the destructor removes it, and the target
/// is unchanged; if the process is killed, a temporary file may stay, and disturbs no later run. The mode of
/// an old target and the symbolic links to it stay. "-" is the standard output; a device or a pipe is written
/// directly.
///
/// An old target is kept and receives a copy in `commit` if it has several hard links, if its directory is
/// not writable, or if renaming fails, as for a mounted file. A reader may then see a part of the
/// copy, and if the process is killed or the disk is full, only that part remains.
class OutputFile {
 public:
  /// Opens the file, so that an unwritable target is reported before any work is done. A target that this
  /// process is writing already is refused (`io`).
  [[nodiscard]] static Result<OutputFile> open(const std::string& path);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  /// Appends bytes. `commit` reports the first error.
  void write(std::string_view bytes);

  /// Replaces the target, or returns the first error.
  [[nodiscard]] Result<void> commit();

 private:
  OutputFile() = default;
  void note_error(int error_number);
  [[nodiscard]] int replace_target();
  void clean_up();

  std::string target_;
  std::string claim_;       ///< the target's place in the list of this process; empty if it has none
  std::string unfinished_;  ///< the path of the temporary file; empty if it has none
  bool is_copied_ = false;  ///< whether `commit` copies the temporary file into the target
  std::FILE* file_ = nullptr;
  int error_number_ = 0;
};

/// Removes the temporary files of all `OutputFile`s. Safe to call in a signal handler.
void remove_unfinished_files() noexcept;

/// Installs signal handlers that remove the temporary files; then the signal ends the process as usual.
///
/// To be called first in a program; handles interrupt, termination, hang-up and broken pipe. Signals that are
/// ignored stay ignored.
void remove_unfinished_files_on_signals();

}  // namespace broadside::inline v0_2
