// Mutexes of Lua, as far as threads know of them; see threads.h.
#pragma once

namespace threads {

/// Unlocks what the calling thread has locked: the job that did it has ended, and nobody else can.
void unlock_all();

}  // namespace threads
