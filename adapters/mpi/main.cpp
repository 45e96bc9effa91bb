// broadside-mpi: finds the pairs of a scene, a trace or a workload on several ranks, or steps the bodies of a
// scene there.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <mutex>

#include "broadside/distributed/in_process.hpp"
#include "mpi_communicator.hpp"
#include "run.hpp"
#include "world_run.hpp"

namespace {

using broadside::Communicator;
using broadside::Error;
using broadside::Result;

Result<void> run_part(Communicator& others, const broadside::mpi::Options& options) {
  return options.world ? broadside::mpi::run_world(others, options) : broadside::mpi::run(others, options);
}

/// Runs as threads of one process, to compare with processes.
Error run_threads(int threads, const broadside::mpi::Options& options) {
  std::mutex mutex;
  Error first;
  const auto started = broadside::run_in_process(threads, [&](Communicator& others) {
    const auto done = run_part(others, options);
    const std::lock_guard lock(mutex);
    if (!done.has_value() && !first) {
      first = done.error();
    }
  });
  return started.has_value() ? first : started.error();
}

Error run_ranks(const broadside::mpi::Options& options) {
  broadside::MpiCommunicator others(MPI_COMM_WORLD);
  return run_part(others, options).error();
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  broadside::mpi::Options options;
  int threads = 0;
  CLI::App app("Finds the pairs of boxes on several ranks: mpirun -n 4 broadside-mpi INPUT");
  app.add_option("input", options.input, "A scene, a trace, a list of boxes, or the name of a workload");
  auto* boxes =
      app.add_option("--boxes", options.boxes, "Number of boxes; the input is then the name of a workload");
  app.add_option("--steps", options.steps, "Most steps")->capture_default_str();
  app.add_option("--max-imbalance", options.max_imbalance, "Move the cuts above it")->capture_default_str();
  app.add_option("--threads", threads, "Run as threads of this process instead of ranks of MPI");
  auto* check = app.add_flag("--check", options.check, "Compare each step with one broad phase of all boxes");
  auto* world = app.add_flag("--world", options.world,
                             "Step a DistributedWorld of the bodies of a scene: they move by velocity and "
                             "gravity, and pass through each other")
                    ->excludes(boxes)
                    ->excludes(check);
  app.add_option("--seconds", options.seconds, "Length of a step of the world")->needs(world);
  app.add_option("--save", options.save_file, "Write a snapshot of the world after the last step")
      ->needs(world);
  app.add_option("--restore", options.restore_file,
                 "Begin with a snapshot, from any number of ranks, instead of an input")
      ->needs(world);
  try {
    app.parse(argc, argv);
    if (options.input.empty() == options.restore_file.empty()) {
      throw CLI::ValidationError(options.input.empty()
                                     ? "an input is missing; --restore begins with a snapshot"
                                     : "--restore: a snapshot takes no other input");
    }
  } catch (const CLI::ParseError& error) {
    const int code = rank == 0 ? app.exit(error) : error.get_exit_code();
    MPI_Finalize();
    return code;
  }
  const Error error = threads > 0 ? run_threads(threads, options) : run_ranks(options);
  if (error) {
    std::fprintf(stderr, "broadside-mpi, rank %d: %s\n", rank, error.message.c_str());
    std::fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
