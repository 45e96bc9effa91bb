#include "broadside/scene/file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

namespace broadside {

namespace {

// Paths of unfinished files for the signal handler: added and removed by one atomic operation each.
std::array<std::atomic<char*>, 8> unfinished_paths{};

void publish(const std::string& path) {
  char* copy = ::strdup(path.c_str());
  for (auto& slot : unfinished_paths) {
    char* empty = nullptr;
    if (slot.compare_exchange_strong(empty, copy)) {
      return;
    }
  }
  std::free(copy);
}

void withdraw(const std::string& path) {
  for (auto& slot : unfinished_paths) {
    char* held = slot.load();
    if (held != nullptr && path == held && slot.compare_exchange_strong(held, nullptr)) {
      std::free(held);
      return;
    }
  }
}

Error system_error(const std::string& path, int error_number) {
  return {ErrorCode::io, path + ": " + std::strerror(error_number)};
}

/// Creates an unfinished file, or reuses one whose writer was killed: a writer holds a lock on its file.
///
/// Returns the descriptor, or -1 and `errno`: `EEXIST` if another process is writing the file.
int open_unfinished(const std::string& path, mode_t mode) {
  for (;;) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, mode);
    if (descriptor < 0) {
      return -1;
    }
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      ::close(descriptor);
      errno = EEXIST;
      return -1;
    }
    // Before we got the lock, another writer may have finished the file and renamed it.
    struct stat opened {};
    struct stat named {};
    const bool is_ours = ::fstat(descriptor, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
                         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
    if (is_ours && ::ftruncate(descriptor, 0) == 0) {
      return descriptor;
    }
    const int error_number = errno;
    ::close(descriptor);
    if (is_ours) {
      errno = error_number;
      return -1;
    }
  }
}

/// Follows symbolic links, so that the target is written and the last link not replaced. The target need not
/// exist.
std::string resolved(const std::string& path) {
  constexpr int max_links = 40;  // as many as Linux follows
  std::filesystem::path target = path;
  std::error_code error;
  for (int i = 0; i < max_links && std::filesystem::is_symlink(target, error); ++i) {
    target = target.parent_path() / std::filesystem::read_symlink(target, error);
  }
  return target.string();
}

}  // namespace

void remove_unfinished_files() noexcept {
  for (auto& slot : unfinished_paths) {
    if (const char* path = slot.load(); path != nullptr) {
      ::unlink(path);
    }
  }
}

namespace {

extern "C" void on_signal(int signal) {
  remove_unfinished_files();
  ::_exit(128 + signal);
}

}  // namespace

void remove_unfinished_files_on_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    if (std::signal(signal, on_signal) == SIG_IGN) {  // set by our parent, such as nohup
      std::signal(signal, SIG_IGN);
    }
  }
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond the size limit is a write error
}

Result<void> read_file_in_pieces(const std::string& path,
                                 const std::function<Result<void>(std::string_view)>& take) {
  const bool standard_input = path == "-";
  const std::string name = standard_input ? "standard input" : path;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
      standard_input ? stdin : std::fopen(path.c_str(), "rb"),
      standard_input ? [](std::FILE*) { return 0; } : &std::fclose);
  if (!file) {
    return system_error(name, errno);
  }
  std::vector<char> piece(std::size_t{1} << 18);
  while (const std::size_t count = std::fread(piece.data(), 1, piece.size(), file.get())) {
    if (auto taken = take({piece.data(), count}); !taken.has_value()) {
      return taken;
    }
  }
  if (std::ferror(file.get()) != 0) {
    return system_error(name, errno);
  }
  return {};
}

Result<std::string> read_file(const std::string& path, std::uint64_t max_bytes) {
  std::string bytes;
  const auto read = read_file_in_pieces(path, [&](std::string_view piece) -> Result<void> {
    if (bytes.size() + piece.size() > max_bytes) {
      return Error{ErrorCode::too_large,
                   path + ": larger than the limit of " + std::to_string(max_bytes >> 20U) + " MiB"};
    }
    bytes.append(piece);
    return {};
  });
  if (!read.has_value()) {
    return read.error();
  }
  return bytes;
}

std::string directory_of(const std::string& path) {
  if (path == "-") {
    return {};
  }
  const std::string directory = std::filesystem::path(path).parent_path().string();
  return directory.empty() ? "." : directory;
}

Result<OutputFile> OutputFile::open(const std::string& path) {
  OutputFile output;
  if (path == "-") {
    output.target_ = "standard output";
    output.file_ = stdout;
    return output;
  }
  output.target_ = resolved(path);
  struct stat status {};
  const bool exists = ::stat(output.target_.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) {
    return system_error(path, errno);
  }
  if (exists && S_ISDIR(status.st_mode)) {
    return system_error(path, EISDIR);
  }
  if (exists && !S_ISREG(status.st_mode)) {
    output.file_ = std::fopen(output.target_.c_str(), "wb");
    if (output.file_ == nullptr) {
      return system_error(path, errno);
    }
    return output;
  }
  if (exists && ::access(output.target_.c_str(), W_OK) != 0) {
    return system_error(path, errno);
  }
  output.unfinished_ = output.target_ + ".tmp-" + std::to_string(::getpid());
  const mode_t mode = exists ? status.st_mode & 0777U : 0666U;
  publish(output.unfinished_);  // first: a signal may arrive as soon as the file exists
  const int descriptor = open_unfinished(output.unfinished_, mode);
  if (descriptor < 0) {
    const int error_number = errno;
    withdraw(output.unfinished_);
    output.unfinished_.clear();
    return error_number == EEXIST ? Error{ErrorCode::io, path + ": is being written already"}
                                  : system_error(path, error_number);
  }
  if (exists) {
    static_cast<void>(::fchmod(descriptor, mode));  // `open` applied the umask
  }
  output.file_ = ::fdopen(descriptor, "wb");
  return output;
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : target_(std::move(other.target_)),
      unfinished_(std::exchange(other.unfinished_, {})),
      file_(std::exchange(other.file_, nullptr)),
      error_number_(other.error_number_) {}

OutputFile::~OutputFile() {
  if (file_ != nullptr && file_ != stdout) {
    std::fclose(file_);
  }
  if (!unfinished_.empty()) {
    ::unlink(unfinished_.c_str());
    withdraw(unfinished_);
  }
}

void OutputFile::write(std::string_view bytes) {
  if (error_number_ == 0 && std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) {
    error_number_ = errno;
  }
}

Result<void> OutputFile::commit() {
  if (std::fflush(file_) != 0 && error_number_ == 0) {
    error_number_ = errno;
  }
  if (error_number_ == 0 && !unfinished_.empty() && ::fsync(::fileno(file_)) != 0) {
    error_number_ = errno;
  }
  if (file_ != stdout && std::fclose(std::exchange(file_, nullptr)) != 0 && error_number_ == 0) {
    error_number_ = errno;
  }
  if (error_number_ == 0 && !unfinished_.empty()) {
    if (std::rename(unfinished_.c_str(), target_.c_str()) == 0) {
      withdraw(unfinished_);
      unfinished_.clear();
    } else {
      error_number_ = errno;
    }
  }
  if (error_number_ != 0) {
    return Error{ErrorCode::io, target_ + ": " + std::strerror(error_number_)};
  }
  return {};
}

}  // namespace broadside
