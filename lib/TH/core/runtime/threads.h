// The threads of the process: who may use how many. The only user of OpenMP; loops are in
// cpu/parallel.h.
//
// Several threads of a program may each run a Lua state. Together they should not run more threads
// than there are cores (or OMP_NUM_THREADS says): what none of them asked for is divided evenly
// among those that have called for work. Who asks for a number (set_share) has it, whatever others
// do. A child of fork has but the thread that forked, and does all work on it.
#pragma once

#include <climits>
#include <cstdint>

#pragma GCC visibility push(default)  // for backends in libraries of their own
namespace th::threads {

/// How many threads the next loop of the calling thread may use; 1 inside of a loop.
int share();
void set_share(int count);

int cores();

/// Whether the calling thread is at work on a part, and on which.
bool inside();
int64_t part();

/// work(context, part) for every part in [0, parts), on threads of the calling thread's own team.
/// All members of the team are woken, those without a part go back to sleep: a team that changes
/// its size from loop to loop ends threads and starts others. work must not throw.
void run(int64_t parts, void (*work)(void* context, int64_t part), void* context);

/// Tells OpenMP loops of libraries, which start teams of their own, the calling thread's share, or
/// `most` where that is less: 1 inside of a loop.
/// @return the number told
int lend(int most = INT_MAX);

}  // namespace th::threads

#pragma GCC visibility pop
