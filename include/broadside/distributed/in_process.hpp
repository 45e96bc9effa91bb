#pragma once

#include "broadside/base/function_ref.hpp"
#include "broadside/base/result.hpp"
#include "broadside/distributed/communicator.hpp"

namespace broadside::inline v0_2 {

/// Runs the parts of a distributed program as threads of this process, and returns when all have ended.
///
/// This is how the cores of one machine are used, and how distributed programs are tested.
///
///     run_in_process(2, [](Communicator& others) {
///       // Make a `DistributedBroadPhase` with `others`, add boxes, find pairs.
///       others.all_gather({}).value();
///     }).value();
///
/// A part that ends while another one waits for it, because it returned or threw, makes the exchange of the
/// other fail with `io`.
/// @param parts number of threads, in [1, 1024]
/// @param part is called once by each thread, with its own communicator
/// @par Exceptions
/// The exception that left `part` first is thrown again after all parts have ended.
/// @par Errors
/// `invalid_argument` for another number of parts; `io` if the system refuses a thread: then the threads that
/// were started get errors from their exchanges.
Result<void> run_in_process(int parts, FunctionRef<void(Communicator&)> part);

}  // namespace broadside::inline v0_2
