// Whose memory it is: the bytes behind the storages that each thread has made.
#pragma once

#include "TH_account.h"

#pragma GCC visibility push(default)  // for backends in libraries of their own
namespace th {

/// The calling thread's account. It outlives the thread while storages refer to it.
TH_Account* account();

/// Adds to an account, from any thread.
void charge(TH_Account* to, int64_t bytes);

/// The thread's next failure to get memory comes after it has collected its own garbage.
void expect_last_resort();
/// Whether that is so; only once.
bool take_last_resort();

/// Makes the other threads whose bindings watch their thresholds collect, and waits for that.
class Appeal {
 public:
  /// Lowers their thresholds.
  Appeal();
  /// Waits for the next one to collect; false when all have, or when those that have not seem to
  /// be busy or asleep.
  bool wait();
};

}  // namespace th

#pragma GCC visibility pop
