#include "broadside/scene/file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "boxes.hpp"

namespace broadside {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = fs::path(testing::TempDir()) / ("broadside-file-" + std::to_string(::getpid()));
    fs::remove_all(directory_);
    fs::create_directory(directory_);
  }
  void TearDown() override { fs::remove_all(directory_); }

  [[nodiscard]] std::string path(const std::string& name) const { return (directory_ / name).string(); }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(directory_), fs::directory_iterator()));
  }

  fs::path directory_;
};

TEST_F(OutputFileTest, a_terminal_is_told_from_a_file_and_from_a_pipe) {
  std::FILE* file = std::fopen(path("a").c_str(), "w");
  ASSERT_NE(file, nullptr);
  EXPECT_FALSE(is_terminal(file));
  std::fclose(file);
  std::FILE* pipe = ::popen("true", "r");
  ASSERT_NE(pipe, nullptr);
  EXPECT_FALSE(is_terminal(pipe));
  ::pclose(pipe);
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  ASSERT_GE(terminal, 0);
  std::FILE* screen = ::fdopen(terminal, "r+");
  ASSERT_NE(screen, nullptr);
  EXPECT_TRUE(is_terminal(screen));
  std::fclose(screen);
}

TEST_F(OutputFileTest, appears_only_when_committed) {
  auto file = OutputFile::open(path("a"));
  ASSERT_TRUE(file.has_value());
  file->write("hello");
  EXPECT_FALSE(fs::exists(path("a")));
  ASSERT_TRUE(file->commit().has_value());
  EXPECT_EQ(read_file(path("a"), 100).value(), "hello");
  EXPECT_EQ(files(), 1U);
}

TEST_F(OutputFileTest, leaves_the_old_file_when_not_committed) {
  std::ofstream(path("a")) << "old";
  {
    auto file = OutputFile::open(path("a"));
    ASSERT_TRUE(file.has_value());
    file->write("new");
  }
  EXPECT_EQ(read_file(path("a"), 100).value(), "old");
  EXPECT_EQ(files(), 1U);
}

TEST_F(OutputFileTest, a_writer_that_was_killed_at_any_moment_does_not_block_the_next) {
  std::ofstream(path("a")) << "old";
  for (int moment = 0; moment < 5; ++moment) {
    const std::size_t before = files();
    const pid_t writer = ::fork();
    if (writer == 0) {
      const auto die_at = [moment](int now) {
        if (now == moment) {
          ::kill(::getpid(), SIGKILL);
        }
      };
      auto file = OutputFile::open(path("a"));
      die_at(0);
      file->write("a line\n");
      die_at(1);
      file->write(std::string(100'000, 'x'));
      die_at(2);
      file->write("more");
      die_at(3);
      static_cast<void>(file->commit());
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(writer, &status, 0), writer);
    EXPECT_EQ(WIFSIGNALED(status), moment < 4);
    EXPECT_EQ(read_file(path("a"), 1 << 20).value().size(), moment < 4 ? 3U : 100'011U);
    EXPECT_EQ(files(), before + (moment < 4 ? 1U : 0U));
    auto file = OutputFile::open(path("a"));
    ASSERT_TRUE(file.has_value()) << file.error().message;
    file->write("new");
    ASSERT_TRUE(file->commit().has_value());
    EXPECT_EQ(read_file(path("a"), 1 << 20).value(), "new");
  }
}

TEST_F(OutputFileTest, refuses_a_target_that_is_being_written) {
  fs::create_symlink("a", path("link"));
  auto file = OutputFile::open(path("a"));
  ASSERT_TRUE(file.has_value());
  for (const std::string& name : {path("a"), path("./a"), path("link")}) {
    EXPECT_EQ(OutputFile::open(name).error().message, name + ": is being written already");
  }
  EXPECT_TRUE(OutputFile::open(path("b")).has_value());
  ASSERT_TRUE(file->commit().has_value());
  EXPECT_TRUE(OutputFile::open(path("a")).has_value());
}

// Old files of any mode, with any number of hard links and a chain of symbolic links to one of these.
TEST_F(OutputFileTest, keeps_mode_and_links_of_any_old_file) {
  test::Random random(51);
  const mode_t before = ::umask(0);
  for (int round = 0; round < 300; ++round) {
    ::umask(random.below(0777));
    const std::string real(1 + random.below(255), 'n');
    const mode_t mode = 0600U | random.below(0200);
    std::ofstream(path(real)) << "old";
    ASSERT_EQ(::chmod(path(real).c_str(), mode), 0);
    const std::uint32_t links = random.below(3);
    for (std::uint32_t i = 0; i < links; ++i) {
      fs::create_hard_link(path(real), path("hard" + std::to_string(i)));
    }
    const std::uint32_t chain = random.below(3);
    std::string target = real;
    for (std::uint32_t i = 0; i < chain; ++i) {
      const std::string link = "soft" + std::to_string(i);
      fs::create_symlink(random.below(2) == 0 ? target : path(target), path(link));
      target = link;
    }
    const std::string content(random.below(600'000), 'x');
    {
      auto file = OutputFile::open(path(target));
      ASSERT_TRUE(file.has_value()) << file.error().message;
      file->write(content);
      ASSERT_EQ(read_file(path(real), 100).value(), "old");
      if (random.below(4) != 0) {
        ASSERT_TRUE(file->commit().has_value());
        ASSERT_EQ(read_file(path(real), 1'000'000).value(), content);
      }
    }
    ASSERT_EQ(static_cast<unsigned>(fs::status(path(real)).permissions()), mode);
    for (std::uint32_t i = 0; i < links; ++i) {
      ASSERT_TRUE(fs::equivalent(path(real), path("hard" + std::to_string(i))));
    }
    for (std::uint32_t i = 0; i < chain; ++i) {
      ASSERT_TRUE(fs::is_symlink(path("soft" + std::to_string(i))));
    }
    ASSERT_EQ(files(), 1 + links + chain);
    TearDown();
    fs::create_directory(directory_);
  }
  ::umask(before);
}

TEST_F(OutputFileTest, a_new_file_has_the_mode_of_the_umask_and_any_legal_name) {
  const mode_t before = ::umask(027);
  for (const std::size_t length : {1U, 200U, 250U, 255U}) {
    const std::string name(length, 'n');
    auto file = OutputFile::open(path(name));
    ASSERT_TRUE(file.has_value()) << file.error().message;
    ASSERT_TRUE(file->commit().has_value());
    EXPECT_EQ(static_cast<unsigned>(fs::status(path(name)).permissions()), 0640U);
  }
  ::umask(before);
  EXPECT_EQ(OutputFile::open(path(std::string(256, 'n'))).error().code, ErrorCode::io);
}

/// Takes away the rights of root, which may write and rename anything, until it is destroyed.
class Unprivileged {
 public:
  static constexpr uid_t nobody = 65534;
  Unprivileged() : was_root_(::geteuid() == 0 && ::seteuid(nobody) == 0) {}
  Unprivileged(const Unprivileged&) = delete;
  Unprivileged& operator=(const Unprivileged&) = delete;
  ~Unprivileged() {
    if (was_root_) {
      static_cast<void>(::seteuid(0));
    }
  }

 private:
  bool was_root_;
};

// The directory is not writable, or (for root alone) it is like /tmp, where only the owner renames a file.
TEST_F(OutputFileTest, keeps_an_old_file_that_must_not_be_renamed_to) {
  for (const mode_t mode : {0555U, 01777U}) {
    std::ofstream(path("a")) << "old";
    ASSERT_EQ(::chmod(path("a").c_str(), 0666), 0);
    const auto old_inode = [this] {
      struct stat status {};
      return ::stat(path("a").c_str(), &status) == 0 ? status.st_ino : 0;
    };
    const auto inode = old_inode();
    ASSERT_EQ(::chmod(directory_.c_str(), mode), 0);
    {
      const Unprivileged user;
      auto file = OutputFile::open(path("a"));
      ASSERT_TRUE(file.has_value()) << file.error().message;
      file->write("new");
      EXPECT_EQ(read_file(path("a"), 100).value(), "old");
      ASSERT_TRUE(file->commit().has_value());
      if (mode == 0555U) {
        EXPECT_EQ(OutputFile::open(path("b")).error().code, ErrorCode::io);
      }
    }
    ASSERT_EQ(::chmod(directory_.c_str(), 0755), 0);
    EXPECT_EQ(read_file(path("a"), 100).value(), "new");
    if (mode == 0555U || ::geteuid() == 0) {
      EXPECT_EQ(old_inode(), inode);
    }
    EXPECT_EQ(files(), 1U);
  }
}

TEST_F(OutputFileTest, writes_to_a_pipe_that_a_link_names) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  auto file = OutputFile::open("/dev/fd/" + std::to_string(ends[1]));
  ASSERT_TRUE(file.has_value()) << file.error().message;
  file->write("hello");
  ASSERT_TRUE(file->commit().has_value());
  std::array<char, 8> bytes{};
  EXPECT_EQ(::read(ends[0], bytes.data(), bytes.size()), 5);
  EXPECT_STREQ(bytes.data(), "hello");
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(OutputFileTest, creates_the_missing_target_of_a_link) {
  fs::create_symlink("inner", path("outer"));
  fs::create_symlink("real", path("inner"));
  auto file = OutputFile::open(path("outer"));
  ASSERT_TRUE(file.has_value());
  file->write("new");
  ASSERT_TRUE(file->commit().has_value());
  EXPECT_TRUE(fs::is_symlink(path("outer")));
  EXPECT_TRUE(fs::is_symlink(path("inner")));
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(path("real"))));
  EXPECT_EQ(read_file(path("real"), 100).value(), "new");
}

TEST_F(OutputFileTest, refuses_links_in_a_circle) {
  fs::create_symlink("b", path("a"));
  fs::create_symlink("a", path("b"));
  EXPECT_EQ(OutputFile::open(path("a")).error().code, ErrorCode::io);
  EXPECT_TRUE(fs::is_symlink(path("a")));
  EXPECT_TRUE(fs::is_symlink(path("b")));
}

TEST_F(OutputFileTest, reports_a_full_disk_and_does_not_replace_the_device) {
  auto file = OutputFile::open("/dev/full");
  ASSERT_TRUE(file.has_value());
  file->write("x");
  const auto committed = file->commit();
  EXPECT_EQ(committed.error().code, ErrorCode::io);
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(OutputFileTest, refuses_a_directory_and_a_missing_one_at_once) {
  EXPECT_EQ(OutputFile::open(directory_.string()).error().code, ErrorCode::io);
  EXPECT_EQ(OutputFile::open(path("no/such/file")).error().code, ErrorCode::io);
  EXPECT_EQ(files(), 0U);
}

TEST_F(OutputFileTest, unfinished_files_can_be_removed_from_a_signal_handler) {
  auto file = OutputFile::open(path("a"));
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(files(), 1U);
  remove_unfinished_files();
  EXPECT_EQ(files(), 0U);
}

TEST_F(OutputFileTest, reading_is_bounded) {
  std::ofstream(path("a")) << "12345678";
  EXPECT_EQ(read_file(path("a"), 7).error().code, ErrorCode::too_large);
  EXPECT_EQ(read_file(path("a"), 8).value(), "12345678");
  EXPECT_EQ(read_file(path("b"), 8).error().code, ErrorCode::io);
}

}  // namespace
}  // namespace broadside
