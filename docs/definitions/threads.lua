---@meta threads
-- Written by `th docs/make_definitions.lua` from the docstrings; not to be edited.

local threads = {}

---A condition variable: threads wait until another signals.
---@class threads.Condition
---@overload fun(id?: number): threads.Condition
threads.Condition = {}

---A mutex: of the threads that lock it, one goes on, the others wait until it unlocks it.
---@class threads.Mutex
---@overload fun(id?: number): threads.Mutex
threads.Mutex = {}

---A queue with room for n jobs.
---@class threads.Queue
---@overload fun(...: any): threads.Queue
threads.Queue = {}

---A thread that runs Lua code in a state of its own, where nothing is loaded, and ends with it.
---@class threads.Thread
---@overload fun(code: string): threads.Thread
threads.Thread = {}

---Pools of threads that do jobs: threads.Threads.
---
---Each thread is one of the operating system, with a Lua state of its own. A job is a function,
---sent there with its upvalues and arguments; what it returns is sent back to a function that
---the pool's maker runs, the end callback. Globals are each state's own.
---@class threads.Threads
---@overload fun(...: any): threads.Threads
threads.Threads = {}

---Give the reference back when the object is collected, instead of by free().
---@param ... any
function threads.Condition:collected(...) end

---Give the handle back; the mutex goes with its last one.
---@overload fun(self: threads.Condition)
---@param ... any
---@return any
function threads.Condition:free(...) end

---The number by which other threads find the mutex: threads.Mutex(id).
---@overload fun(self: threads.Condition): number
---@param ... any
---@return any
function threads.Condition:id(...) end

---Wake one of the threads that wait; nothing happens if none does.
---@overload fun(self: threads.Condition)
---@param ... any
---@return any
function threads.Condition:signal(...) end

---Unlock a mutex that the caller has locked, wait for a signal, and lock it again.
---@overload fun(self: threads.Condition, mutex: any)
---@param ... any
---@return any
function threads.Condition:wait(...) end

---Give the reference back when the object is collected, instead of by free().
---@param ... any
function threads.Mutex:collected(...) end

---Give the handle back; the mutex goes with its last one.
---@overload fun(self: threads.Mutex)
---@param ... any
---@return any
function threads.Mutex:free(...) end

---The number by which other threads find the mutex: threads.Mutex(id).
---@overload fun(self: threads.Mutex): number
---@param ... any
---@return any
function threads.Mutex:id(...) end

---Wait until the mutex is the caller's.
---@overload fun(self: threads.Mutex)
---@param ... any
---@return any
function threads.Mutex:lock(...) end

---Let another thread have it.
---@overload fun(self: threads.Mutex)
---@param ... any
---@return any
function threads.Mutex:unlock(...) end

---Put a job in; waits while there is no room.
---@param f function function
---@param ... any its arguments
function threads.Queue:addjob(f, ...) end

---Take the next job out and do it; waits until there is one.
---@overload fun(self: threads.Queue)
---@param ... any
---@return any
function threads.Queue:dojob(...) end

---How many jobs are in it.
---@overload fun(self: threads.Queue): integer
---@param ... any
---@return any
function threads.Queue:size(...) end

---Wait for the thread's end.
---@overload fun(self: threads.Thread)
---@param ... any
---@return any
function threads.Thread:free(...) end

---A number that is the thread's own.
---@overload fun(self: threads.Thread): number
---@param ... any
---@return any
function threads.Thread:id(...) end

---Whether addjob would not wait: for a thread by its number in specific mode.
---@overload fun(self: threads.Threads, thread?: any): boolean
---@param ... any
---@return any
function threads.Threads:acceptsjob(...) end

---Have a function run on a thread: on the first that is free or, in specific mode, on the one that
---is named first. Waits while there are as many jobs that have not begun as threads; end callbacks
---of jobs that are done may run meanwhile.
---@param f function function: what it refers to by upvalues is copied or shared (Threads.serialization); globals are the thread's own
---@param endcallback? any function that runs here, in dojob or synchronize, with what f returned (optional)
---@param ... any f's arguments
function threads.Threads:addjob(f, endcallback, ...) end

---Hold jobs back: of those that are added in the pool's life, only the first n begin, until more
---are allowed. So jobs can be added many at once, which takes less time for each, and addjob does
---not wait; how far the threads go ahead says n. `synchronize` waits for jobs that are held back,
---too. Jobs for threads by number (`specific`) are not held back.
---@param n number how many; math.huge for all (number)
function threads.Threads:allow(n) end

---Jobs that have not begun are forgotten, those that run fail with the error "interrupted" at
---their next instruction in Lua. An operation of the core or another C function comes to its end
---first, after cancel has returned if that takes seconds: pool:hasjob() tells. Ctrl-C while the
---pool is waited for does that.
---@overload fun(self: threads.Threads)
---@param ... any
---@return any
function threads.Threads:cancel(...) end

---Wait for the next job that is done and run its end callback. A job that has failed has none: its
---error is raised by synchronize, and haserror tells of it.
function threads.Threads:dojob() end

---Wait for the next job that is done, and run the end callbacks of all that are done by then, in
---the order in which they ended. That takes less time for each than dojob does.
---@overload fun(self: threads.Threads): any
---@param ... any
---@return any
function threads.Threads:dojobs(...) end

---Whether a job has failed whose error has not been raised yet.
function threads.Threads:haserror() end

---Whether there are jobs whose end callbacks have not run.
function threads.Threads:hasjob() end

---Whether the threads have not been ended.
function threads.Threads:isrunning() end

---Choose how jobs, arguments and results travel, for pools that are made from now on.
---@param name? string module with functions save(object) -> torch.CharStorage and load(storage): 'threads.serialize' (copies; the default) or 'threads.sharedserialize' (shares tensors, storages and tds) (string, optional)
---@return any
function threads.Threads:serialization(name) end

---Whether jobs are given to threads by number; with an argument, waits for all jobs first
---and sets it.
---@overload fun(self: threads.Threads, bool?: boolean): boolean
---@param ... any
---@return any
function threads.Threads:specific(...) end

---Wait until every job is done and run the end callbacks.
function threads.Threads:synchronize() end

---Wait until every job is done, and end the threads. Not an error for a pool that has ended.
function threads.Threads:terminate() end

---A function that only one thread at a time is in: it locks a mutex, calls f and unlocks, also
---after an error. It may be an upvalue or argument of jobs, on whose threads it locks the same
---mutex.
---@param f function function
---@param mutex? any threads.Mutex, for several functions of which only one may run (optional)
---@return any
function threads.safe(f, mutex) end

---Choose how jobs, arguments and results travel, for pools that are made from now on.
---@param name? string module with functions save(object) -> torch.CharStorage and load(storage): 'threads.serialize' (copies; the default) or 'threads.sharedserialize' (shares tensors, storages and tds) (string, optional)
---@return any
function threads.serialization(name) end

return threads
