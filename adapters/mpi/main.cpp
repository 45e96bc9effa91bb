// broadside-mpi: finds the pairs of a scene, a trace or a workload on several ranks.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <mutex>

#include "broadside/distributed/in_process.hpp"
#include "mpi_communicator.hpp"
#include "run.hpp"

namespace {

using broadside::Error;
using broadside::ErrorCode;

/// Runs as threads of one process, to compare with processes.
Error run_threads(int threads, const broadside::mpi::Options& options) {
  std::mutex mutex;
  Error first;
  const auto started = broadside::run_in_process(threads, [&](broadside::Communicator& others) {
    const auto done = broadside::mpi::run(others, options);
    const std::lock_guard lock(mutex);
    if (!done.has_value() && !first) {
      first = done.error();
    }
  });
  return started.has_value() ? first : started.error();
}

Error run_ranks(const broadside::mpi::Options& options) {
  broadside::MpiCommunicator others(MPI_COMM_WORLD);
  return broadside::mpi::run(others, options).error();
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  broadside::mpi::Options options;
  int threads = 0;
  CLI::App app("Finds the pairs of boxes on several ranks: mpirun -n 4 broadside-mpi INPUT");
  app.add_option("input", options.input, "A scene, a trace, a list of boxes, or the name of a workload")
      ->required();
  app.add_option("--boxes", options.boxes, "Number of boxes; the input is then the name of a workload");
  app.add_option("--steps", options.steps, "Most steps")->capture_default_str();
  app.add_option("--max-imbalance", options.max_imbalance, "Move the cuts above it")->capture_default_str();
  app.add_option("--threads", threads, "Run as threads of this process instead of ranks of MPI");
  app.add_flag("--check", options.check, "Compare each step with one broad phase of all boxes");
  try {
    app.parse(argc, argv);
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
