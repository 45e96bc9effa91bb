#include "broadside/scene/file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

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

  [[nodiscard]] std::string path(const char* name) const { return (directory_ / name).string(); }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(directory_), fs::directory_iterator()));
  }

  fs::path directory_;
};

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

// In a container each run may have the same process id, and thus the same name for its temporary file.
TEST_F(OutputFileTest, a_writer_that_was_killed_at_any_moment_does_not_block_the_next) {
  std::ofstream(path("a")) << "old";
  const std::string unfinished = path("a") + ".tmp-";
  for (int moment = 0; moment < 5; ++moment) {
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
    if (moment < 4) {
      fs::rename(unfinished + std::to_string(writer), unfinished + std::to_string(::getpid()));
    }
    auto file = OutputFile::open(path("a"));
    ASSERT_TRUE(file.has_value()) << file.error().message;
    EXPECT_EQ(OutputFile::open(path("a")).error().message, path("a") + ": is being written already");
    file->write("new");
    ASSERT_TRUE(file->commit().has_value());
    EXPECT_EQ(read_file(path("a"), 1 << 20).value(), "new");
    EXPECT_EQ(files(), 1U);
  }
}

TEST_F(OutputFileTest, keeps_the_mode_whatever_the_umask) {
  const mode_t before = ::umask(022);
  for (const mode_t mode : {0600U, 0640U, 0664U, 0666U}) {
    std::ofstream(path("a")) << "old";
    ASSERT_EQ(::chmod(path("a").c_str(), mode), 0);
    ASSERT_TRUE(OutputFile::open(path("a"))->commit().has_value());
    EXPECT_EQ(static_cast<unsigned>(fs::status(path("a")).permissions()), mode);
  }
  ::umask(before);
}

TEST_F(OutputFileTest, replaces_the_target_of_a_link_and_keeps_its_mode) {
  std::ofstream(path("real")) << "old";
  ASSERT_EQ(::chmod(path("real").c_str(), 0640), 0);
  fs::create_symlink(path("real"), path("link"));
  auto file = OutputFile::open(path("link"));
  ASSERT_TRUE(file.has_value());
  file->write("new");
  ASSERT_TRUE(file->commit().has_value());
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read_file(path("real"), 100).value(), "new");
  struct stat status {};
  ASSERT_EQ(::stat(path("real").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0640U);
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
