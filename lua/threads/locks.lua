--- Single threads, and what threads wait for: threads.Thread, threads.Mutex, threads.Condition.
--
-- Mutexes and conditions live until every handle was freed: one handle is what made it, others come
-- from its id, which may travel as a number, or with a message.
-- @module threads.locks
local ffi = require 'ffi'
local th = require 'torch.ffi'
local class = require 'torch.class'
local errors = require 'torch.errors'
local threads = require 'threads.ffi'

local C, wait = threads.C, threads.wait
local raise = errors.raise

ffi.cdef [[
typedef struct { threads_Thread *handle; } threads_ThreadRef;
typedef struct { threads_Mutex *handle; } threads_MutexRef;
typedef struct { threads_Condition *handle; } threads_ConditionRef;
]]

local M = {}

-- A class of objects behind a struct with a pointer: a number as an index of a bare pointer would
-- be arithmetic.
local function define(name, ctype, construct)
   local methods = class.newmetatable('threads.' .. name, nil, construct, nil, function()
      return ffi.typeof(ctype)()
   end, require 'threads.module')
   return methods, class.metatype('threads.' .. name, ctype)
end

local function handleOf(object, name)
   local handle = object.handle
   if handle == nil then
      raise(('threads.%s: it was freed'):format(name))
   end
   return handle
end

-- What all objects have that threads share: an id, a count of handles, a way into messages.
local function shared(name, ctype, prefix)
   local released = ffi.cast('void (*)(void *)', C[prefix .. 'release'])
   local function release(self)
      if self.handle ~= nil then
         C[prefix .. 'release'](self.handle)
         self.handle = nil
      end
   end
   local ref
   local methods
   methods, ref = define(name, ctype, function(id)
      local self = ref()
      if id == nil then
         self.handle = C[prefix .. 'new']()
         if self.handle == nil then
            raise(('threads.%s: not enough memory'):format(name))
         end
         return self
      end
      id = th.numeric(id) or id
      self.handle = type(id) == 'number' and C[prefix .. 'find'](id) or nil
      if self.handle == nil then
         raise(('threads.%s: there is none with the id %s; an id is what obj:id() gave, while obj '
            .. 'is not freed'):format(name, tostring(id)))
      end
      return self
   end)

   function methods.id(self)
      return C[prefix .. 'id'](handleOf(self, name))
   end

   function methods.free(self)
      handleOf(self, name)
      ffi.gc(self, nil)
      release(self)
   end

   function methods.__tostring(self)
      return self.handle == nil and ('threads.%s [freed]'):format(name)
         or ('threads.%s [%d]'):format(name, self:id())
   end

   function methods.__write(self, file)
      if not file.parcel_ then
         error(('a threads.%s cannot leave its process'):format(name), 0)
      end
      local handle = handleOf(self, name)
      C[prefix .. 'retain'](handle)
      file:writeInt(file.parcel_:add(name, handle, released))
   end

   -- Nobody knows when the last job that uses it has ended: the collector does.
   function methods.__read(self, file)
      if not file.parcel_ then
         error(('a threads.%s cannot come from a file'):format(name), 0)
      end
      self.handle = file.parcel_:get(file:readInt(), name)
      C[prefix .. 'retain'](self.handle)
      ffi.gc(self, release)
   end

   --- Give the reference back when the object is collected, instead of by free().
   function methods.collected(self)
      return ffi.gc(self, release)
   end
   return methods
end

-- --- mutexes -------------------------------------------------------------------------------------

--- A mutex: of the threads that lock it, one goes on, the others wait until it unlocks it.
-- @number[opt] id of another handle, `mutex:id()`; without it, a new mutex
-- @raise "threads.Mutex: there is none with the id 7; ..."
-- @usage threads.Mutex([id]) -> mutex
-- @type threads.Mutex
local Mutex = shared('Mutex', 'threads_MutexRef', 'threads_mutex_')

--- Wait until the mutex is the caller's.
-- @raise "threads.Mutex: lock: this thread has locked it already"
-- @usage mutex:lock()
function Mutex:lock()
   local handle = handleOf(self, 'Mutex')
   local answer = C.threads_mutex_lock(handle, 0)
   if answer == 0 then
      answer = wait(function(milliseconds)
         return C.threads_mutex_lock(handle, milliseconds)
      end)
   end
   if answer < 0 then
      raise('threads.Mutex: lock: this thread has locked it already, and would wait for itself')
   end
end

--- Let another thread have it.
-- @raise "threads.Mutex: unlock: it is not locked"
-- @usage mutex:unlock()
function Mutex:unlock()
   local answer = C.threads_mutex_unlock(handleOf(self, 'Mutex'))
   if answer <= 0 then
      raise('threads.Mutex: unlock: ' .. (answer == 0 and 'it is not locked'
         or 'another thread has locked it'))
   end
end

--- The number by which other threads find the mutex: threads.Mutex(id).
-- @function Mutex:id
-- @usage mutex:id() -> number

--- Give the handle back; the mutex goes with its last one.
-- @function Mutex:free
-- @usage mutex:free()

-- --- conditions ----------------------------------------------------------------------------------

--- A condition variable: threads wait until another signals.
-- @number[opt] id of another handle, `condition:id()`; without it, a new condition
-- @usage threads.Condition([id]) -> condition
-- @type threads.Condition
local Condition = shared('Condition', 'threads_ConditionRef', 'threads_condition_')

--- Wake one of the threads that wait; nothing happens if none does.
-- @usage condition:signal()
function Condition:signal()
   C.threads_condition_signal(handleOf(self, 'Condition'))
end

--- Unlock a mutex that the caller has locked, wait for a signal, and lock it again.
-- @usage condition:wait(mutex)
function Condition:wait(mutex)
   local handle = handleOf(self, 'Condition')
   if class.typename(mutex) ~= 'threads.Mutex' then
      raise(('threads.Condition: wait: expected a threads.Mutex that is locked, got %s'):format(
         class.type(mutex)))
   end
   C.threads_condition_begin(handle)
   local unlocked, message = pcall(mutex.unlock, mutex)
   if not unlocked then
      C.threads_condition_end(handle, false)
      error(message, 0)
   end
   local ok, reason = pcall(wait, function(milliseconds)
      return C.threads_condition_wait(handle, milliseconds)
   end)
   C.threads_condition_end(handle, ok)
   mutex:lock()
   if not ok then
      error(reason, 0)
   end
end

--- The number by which other threads find the condition: threads.Condition(id).
-- @function Condition:id
-- @usage condition:id() -> number

--- Give the handle back; the condition goes with its last one.
-- @function Condition:free
-- @usage condition:free()

-- --- single threads ------------------------------------------------------------------------------

local ThreadRef

-- A thread finds the packages where its maker does.
local BOOT = 'package.path, package.cpath = %q, %q; %s assert(loadstring(%q, %q))()'

--- A thread that runs Lua code in a state of its own, where nothing is loaded, and ends with it.
-- @string code
-- @raise "threads.Thread: ... syntax error"
-- @usage threads.Thread(code) -> thread
-- @type threads.Thread
local Thread
Thread, ThreadRef = define('Thread', 'threads_ThreadRef', function(code)
   if type(code) ~= 'string' then
      raise(('threads.Thread: expected Lua code as a string, got %s'):format(class.type(code)))
   end
   local chunk, message = loadstring(code)
   if not chunk then
      raise('threads.Thread: ' .. message)
   end
   code = BOOT:format(package.path, package.cpath, jit.status() and '' or 'jit.off();', code,
      '=(thread)')
   local out = ffi.new 'threads_Thread *[1]'
   th.check(C.threads_thread_new(out, code, #code))
   local self = ThreadRef()
   self.handle = out[0]
   return self
end)

--- A number that is the thread's own.
-- @usage thread:id() -> number
function Thread:id()
   return C.threads_thread_id(handleOf(self, 'Thread'))
end

--- Wait for the thread's end.
-- @raise the error that has ended it, with the stack there
-- @usage thread:free()
function Thread:free()
   local handle = handleOf(self, 'Thread')
   wait(function(milliseconds)
      return C.threads_thread_wait(handle, milliseconds)
   end)
   local failure = C.threads_thread_error(handle)
   failure = failure ~= nil and ffi.string(failure) or nil
   self.handle = nil
   C.threads_thread_free(handle)
   if failure then
      raise('threads.Thread: ' .. failure)
   end
end

function Thread:__tostring()
   return self.handle == nil and 'threads.Thread [freed]'
      or ('threads.Thread [%d]'):format(self:id())
end

M.shared, M.handleOf = shared, handleOf
return M
