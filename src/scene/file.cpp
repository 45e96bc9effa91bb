#include "broadside/scene/file.hpp"

#include <fcntl.h>
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
#include <mutex>
#include <random>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

namespace broadside::inline v0_2 {

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

// Targets that this process is writing: the last of two outputs with one target would replace the other.
std::mutex claims_mutex;

std::set<std::string>& claims() {
  static std::set<std::string> paths;
  return paths;
}

bool claim(const std::string& path) {
  const std::lock_guard lock(claims_mutex);
  return claims().insert(path).second;
}

void release(const std::string& path) {
  const std::lock_guard lock(claims_mutex);
  claims().erase(path);
}

Error system_error(const std::string& path, int error_number) {
  return {ErrorCode::io, path + ": " + std::strerror(error_number)};
}

/// Returns whether an error means that a directory, or a file mounted in it, may not be changed.
bool is_refusal(int error_number) {
  return error_number == EACCES || error_number == EPERM || error_number == EROFS || error_number == EBUSY;
}

/// Returns a new name for a temporary file beside the target. The name of the target is no part of it: that
/// may be as long as names can be.
std::string unfinished_path(const std::string& target) {
  std::random_device random;
  std::string name = "broadside-";
  for (int i = 0; i < 2; ++i) {
    name += std::to_string(random());
  }
  return (std::filesystem::path(target).parent_path() / (name + ".tmp")).string();
}

/// Copies a file from its beginning into an existing one. Returns an error number, or 0.
int copy_into(std::FILE* from, const std::string& target) {
  std::FILE* to = std::fopen(target.c_str(), "wb");
  if (to == nullptr) {
    return errno;
  }
  std::rewind(from);
  int error_number = 0;
  std::vector<char> piece(std::size_t{1} << 18U);
  while (const std::size_t count = std::fread(piece.data(), 1, piece.size(), from)) {
    if (std::fwrite(piece.data(), 1, count, to) != count) {
      break;
    }
  }
  if (std::ferror(from) != 0 || std::ferror(to) != 0 || std::fflush(to) != 0 || ::fsync(::fileno(to)) != 0) {
    error_number = errno;
  }
  if (std::fclose(to) != 0 && error_number == 0) {
    error_number = errno;
  }
  return error_number;
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

// The process must die of the signal: a shell that sees it exit instead goes on with its loop.
extern "C" void on_signal(int signal) {
  remove_unfinished_files();
  std::signal(signal, SIG_DFL);
  std::raise(signal);  // is delivered when this function returns
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

bool is_terminal(std::FILE* stream) {
  return ::isatty(::fileno(stream)) != 0;
}

Result<OutputFile> OutputFile::open(const std::string& path) {
  OutputFile output;
  output.target_ = path;
  if (path == "-") {
    output.target_ = "standard output";
    output.file_ = stdout;
    return output;
  }
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) {
    return system_error(path, errno);
  }
  if (exists && S_ISDIR(status.st_mode)) {
    return system_error(path, EISDIR);
  }
  if (exists && !S_ISREG(status.st_mode)) {  // first: a link to a pipe, such as /dev/stdout, names no path
    output.file_ = std::fopen(path.c_str(), "wb");
    return output.file_ == nullptr ? Result<OutputFile>(system_error(path, errno)) : std::move(output);
  }
  output.target_ = resolved(path);
  if (exists && ::access(output.target_.c_str(), W_OK) != 0) {
    return system_error(path, errno);
  }
  std::error_code error;
  const std::filesystem::path place = std::filesystem::weakly_canonical(output.target_, error);
  const std::string unique = error ? output.target_ : place.string();
  if (!claim(unique)) {
    return Error{ErrorCode::io, path + ": is being written already"};
  }
  output.claim_ = unique;

  output.is_copied_ = exists && status.st_nlink > 1;
  const mode_t mode = exists ? status.st_mode & 0777U : 0666U;
  output.unfinished_ = unfinished_path(output.target_);
  publish(output.unfinished_);  // first: a signal may arrive as soon as the file exists
  const int descriptor =
      ::open(output.unfinished_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  if (descriptor >= 0) {
    if (exists) {
      static_cast<void>(::fchmod(descriptor, mode));  // `open` applied the umask
    }
    output.file_ = ::fdopen(descriptor, "w+b");
    return output;
  }
  const int error_number = errno;
  withdraw(output.unfinished_);
  output.unfinished_.clear();
  if (exists && is_refusal(error_number)) {
    output.is_copied_ = true;
    output.file_ = std::tmpfile();
  }
  return output.file_ == nullptr ? Result<OutputFile>(system_error(path, error_number)) : std::move(output);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : target_(std::move(other.target_)),
      claim_(std::exchange(other.claim_, {})),
      unfinished_(std::exchange(other.unfinished_, {})),
      is_copied_(other.is_copied_),
      file_(std::exchange(other.file_, nullptr)),
      error_number_(other.error_number_) {}

OutputFile::~OutputFile() {
  if (file_ != nullptr && file_ != stdout) {
    std::fclose(file_);
  }
  clean_up();
}

void OutputFile::clean_up() {
  if (!unfinished_.empty()) {
    ::unlink(unfinished_.c_str());
    withdraw(unfinished_);
    unfinished_.clear();
  }
  if (!claim_.empty()) {
    release(claim_);
    claim_.clear();
  }
}

void OutputFile::note_error(int error_number) {
  if (error_number_ == 0) {
    error_number_ = error_number;
  }
}

void OutputFile::write(std::string_view bytes) {
  if (error_number_ == 0 && std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) {
    note_error(errno);
  }
}

/// Renames the temporary file, or copies it. Returns an error number, or 0.
int OutputFile::replace_target() {
  if (::fsync(::fileno(file_)) != 0) {
    return errno;
  }
  if (!is_copied_) {
    if (std::rename(unfinished_.c_str(), target_.c_str()) == 0) {
      return 0;
    }
    if (!is_refusal(errno)) {
      return errno;
    }
  }
  return copy_into(file_, target_);
}

Result<void> OutputFile::commit() {
  if (std::fflush(file_) != 0) {
    note_error(errno);
  }
  if (error_number_ == 0 && (is_copied_ || !unfinished_.empty())) {
    note_error(replace_target());
  }
  if (file_ != stdout && std::fclose(std::exchange(file_, nullptr)) != 0) {
    note_error(errno);
  }
  clean_up();
  if (error_number_ != 0) {
    return Error{ErrorCode::io, target_ + ": " + std::strerror(error_number_)};
  }
  return {};
}

}  // namespace broadside::inline v0_2
