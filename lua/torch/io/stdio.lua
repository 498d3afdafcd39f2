--- Byte stream over C's stdio: regular files, devices, and pipes to a command.
--
-- Every stream (this one and torch.io.memory) shows its bytes through a window:
--
--    window[cursor .. filled-1]   bytes that can be read without a call
--    window[cursor .. limit-1]    room that can be written without a call
--
-- so that the code for numbers reads and writes memory, which LuaJIT compiles, and asks the stream
-- only at the window's end. `base` is the file position of window[0]. A stdio stream is either
-- reading (limit = 0) or writing (filled = 0); what is written reaches C's own buffer at `flush`,
-- and a file flushes after each public call, so the bytes survive an exit without `close`.
-- @module torch.io.stdio
local ffi = require 'ffi'
local reasons = require 'torch.io.reasons'
local th = require 'torch.ffi'

ffi.cdef [[
void *torch_fopen(const char *path, const char *mode) __asm__("fopen");
void *torch_popen(const char *command, const char *mode) __asm__("popen");
int torch_fclose(void *stream) __asm__("fclose");
int torch_pclose(void *stream) __asm__("pclose");
size_t torch_fread(void *data, size_t size, size_t count, void *stream) __asm__("fread");
size_t torch_fwrite(const void *data, size_t size, size_t count, void *stream) __asm__("fwrite");
int torch_fflush(void *stream) __asm__("fflush");
int torch_ferror(void *stream) __asm__("ferror");
int torch_fseeko(void *stream, int64_t offset, int whence) __asm__("fseeko");
int torch_fileno(void *stream) __asm__("fileno");
int64_t torch_lseek(int fd, int64_t offset, int whence) __asm__("lseek");
ptrdiff_t torch_read(int fd, void *data, size_t count) __asm__("read");
int torch_ftruncate(int fd, int64_t length) __asm__("ftruncate");
void *torch_memmove(void *to, const void *from, size_t count) __asm__("memmove");
typedef struct torch_signals { unsigned long bits[16]; } torch_signals;
int torch_sigaddset(torch_signals *set, int number) __asm__("sigaddset");
int torch_sigismember(const torch_signals *set, int number) __asm__("sigismember");
int torch_sigpending(torch_signals *set) __asm__("sigpending");
int torch_sigmask(int how, const torch_signals *set, torch_signals *old) __asm__("pthread_sigmask");
int torch_sigtimedwait(const torch_signals *set, void *info, const long *seconds_nanoseconds)
   __asm__("sigtimedwait");
]]

local C = ffi.C
local CAPACITY = 65536
local DIRECT = 16384 -- blocks of at least this many bytes go straight to their place
local LARGE = 8 * 2 ^ 20 -- such of a file are read by several threads
local SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2
local EINTR, EISDIR = 4, 21
local SIGPIPE = 13
local SIG_BLOCK, SIG_SETMASK = 0, 2

local bytes = ffi.typeof 'uint8_t *'
local buffer = ffi.typeof 'uint8_t[?]'

local Stdio = {}
Stdio.__index = Stdio

local reason = reasons.last

local function stream(handle, close, seekable)
   local memory = buffer(CAPACITY)
   return setmetatable({
      handle = ffi.gc(handle, close),
      close_ = close,
      fd = C.torch_fileno(handle),
      seekable = seekable,
      memory = memory,
      window = ffi.cast(bytes, memory),
      cursor = 0,
      filled = 0,
      limit = 0,
      base = 0,
   }, Stdio)
end

--- Open a file.
-- @param path string
-- @param mode string: 'r', 'w' (emptied or made) or 'rw' (made if missing, content kept)
-- @return stream, or nil and the reason
function Stdio.open(path, mode)
   if path:find('\0', 1, true) then
      return nil, 'the name contains a NUL character; remove it'
   end
   local handle
   if mode == 'rw' then
      handle = C.torch_fopen(path, 'r+b')
      if handle == nil then
         handle = C.torch_fopen(path, 'w+b')
      end
   else
      handle = C.torch_fopen(path, mode == 'r' and 'rb' or 'wb')
   end
   if handle == nil then
      return nil, reason(path)
   end
   local fd = C.torch_fileno(handle)
   local seekable = C.torch_lseek(fd, 0, SEEK_CUR) >= 0
   local problem
   if mode == 'r' and C.torch_read(fd, buffer(1), 0) < 0 and ffi.errno() == EISDIR then
      problem = reason()
   elseif mode == 'rw' and not seekable then
      problem = "it has no positions; open it once with 'r' and once with 'w'"
   end
   if problem then
      C.torch_fclose(handle)
      return nil, problem
   end
   local self = stream(handle, C.torch_fclose, seekable)
   self.appending = mode == 'w' and seekable
   return self
end

--- Open an exclusively made file: it fails when `path` exists.
-- @return stream, or nil and the reason
function Stdio.create(path)
   local handle = C.torch_fopen(path, 'wbx')
   if handle == nil then
      return nil, reason(path)
   end
   local self = stream(handle, C.torch_fclose, true)
   self.appending = true
   return self
end

--- Start a shell command and read its output ('r') or feed its input ('w').
-- @return stream, or nil and the reason
function Stdio.popen(command, mode)
   if command:find('\0', 1, true) then
      return nil, 'the command contains a NUL character'
   end
   local handle = C.torch_popen(command, mode)
   if handle == nil then
      return nil, reason()
   end
   local self = stream(handle, C.torch_pclose, false)
   self.isPipe = true
   return self
end

-- Up to n bytes from the file behind the window. A pipe or terminal gives what it has.
local function receive(self, to, n)
   if self.seekable then
      local got = tonumber(C.torch_fread(to, 1, n, self.handle))
      if got < n and C.torch_ferror(self.handle) ~= 0 then
         self.failure = reason()
      end
      return got
   end
   local got
   repeat
      got = tonumber(C.torch_read(self.fd, to, n))
   until got >= 0 or ffi.errno() ~= EINTR
   if got < 0 then
      self.failure = reason()
      return 0
   end
   return got
end

-- A large block of a file, from a position on.
local counted, code = ffi.new 'int64_t[1]', ffi.new 'int[1]'
local function receiveLarge(self, to, n, at)
   th.check(th.C.TH_readFile(self.fd, to, at, n, counted, code))
   local got = tonumber(counted[0])
   if code[0] ~= 0 then
      self.failure = reasons.of(code[0])
   elseif C.torch_fseeko(self.handle, at + got, SEEK_SET) ~= 0 then
      self.failure = reason()
   end
   return got
end

-- A command that stops reading must not end our process. SIGPIPE is held back for the length of a
-- call, from this thread alone: the program's handler stays, other threads and later commands see
-- nothing of it. One that has come is taken away, unless it was waiting before.
local pipeSignal, former, pending = ffi.new 'torch_signals', ffi.new 'torch_signals',
   ffi.new 'torch_signals'
local NO_TIME = ffi.new 'long[2]'
C.torch_sigaddset(pipeSignal, SIGPIPE)

local function holdSignal()
   C.torch_sigpending(pending)
   C.torch_sigmask(SIG_BLOCK, pipeSignal, former)
end

local function letSignal()
   if C.torch_sigismember(pending, SIGPIPE) == 0 then
      C.torch_sigtimedwait(pipeSignal, nil, NO_TIME)
   end
   C.torch_sigmask(SIG_SETMASK, former, nil)
end

local function send(self, from, n)
   if self.isPipe then
      holdSignal()
   end
   local sent = tonumber(C.torch_fwrite(from, 1, n, self.handle))
   if sent == n and self.unbuffered and C.torch_fflush(self.handle) ~= 0 then
      sent = 0
   end
   if sent < n then
      self.failure = reason()
   end
   if self.isPipe then
      letSignal()
   end
   return sent
end

--- Hand what the window holds to C's buffer.
-- @return true, or false with `failure` set; the bytes are dropped then
function Stdio:flush()
   local n = self.cursor
   if self.limit == 0 or n == 0 then
      return true
   end
   local sent = send(self, self.window, n)
   self.base = self.base + sent
   self.cursor = 0
   return sent == n
end

-- stdio wants a seek between reading and writing, and its own position is ahead of ours when
-- reading.
local function turn(self, writing)
   if writing then
      self.base = self.base + self.cursor
   else
      self:flush()
   end
   self.cursor, self.filled = 0, 0
   self.limit = writing and CAPACITY or 0
   if self.seekable and C.torch_fseeko(self.handle, self.base, SEEK_SET) ~= 0 then
      self.failure = reason()
   end
end

--- Have at least n bytes (n <= 16384) to read in the window.
-- @return number of bytes there; fewer than n only at the end of the file or after a failure
function Stdio:fill(n)
   if self.limit > 0 then
      turn(self, false)
   end
   local rest = self.filled - self.cursor
   if rest >= n then
      return rest
   end
   if rest > 0 then
      C.torch_memmove(self.window, self.window + self.cursor, rest)
   end
   self.base = self.base + self.cursor
   self.cursor = 0
   while rest < n do
      local got = receive(self, self.window + rest, CAPACITY - rest)
      if got == 0 then
         break
      end
      rest = rest + got
   end
   self.filled = rest
   return rest
end

--- Have room for n bytes (n <= 65536) to write at the window's cursor.
-- @return the cursor; `failure` is set when bytes could not be written
function Stdio:room(n)
   if self.limit == 0 then
      turn(self, true)
   end
   if self.cursor + n > self.limit then
      self:flush()
   end
   return self.cursor
end

--- Read a block.
-- @return number of bytes read
function Stdio:read(to, n)
   if self.limit > 0 then
      turn(self, false)
   end
   to = ffi.cast(bytes, to)
   local done = 0
   while done < n do
      local ready = math.min(self.filled - self.cursor, n - done)
      if ready > 0 then
         ffi.copy(to + done, self.window + self.cursor, ready)
         self.cursor = self.cursor + ready
         done = done + ready
      elseif n - done >= DIRECT then
         local at, block = self:tell(), self.seekable and n - done >= LARGE
         local got = block and receiveLarge(self, to + done, n - done, at)
            or receive(self, to + done, n - done)
         self.base = at + got
         self.cursor, self.filled = 0, 0
         if got == 0 then
            break
         end
         done = done + got
      elseif self:fill(1) == 0 then
         break
      end
   end
   return done
end

--- Write a block.
-- @return true, or false with `failure` set
function Stdio:write(from, n)
   if n <= DIRECT then
      local at = self:room(n)
      ffi.copy(self.window + at, from, n)
      self.cursor = at + n
      return self.failure == nil
   end
   if self.limit == 0 then
      turn(self, true)
   end
   if not self:flush() then
      return false
   end
   local sent = send(self, from, n)
   self.base = self.base + sent
   return sent == n
end

--- Position of the next byte, from 0.
function Stdio:tell()
   return self.base + self.cursor
end

--- Bytes from here to the end, or nil where that cannot be known (pipes, terminals, devices).
function Stdio:remaining()
   if not self.seekable then
      return nil
   end
   local at = C.torch_lseek(self.fd, 0, SEEK_CUR)
   local size = tonumber(C.torch_lseek(self.fd, 0, SEEK_END))
   C.torch_lseek(self.fd, at, SEEK_SET) -- as it was: stdio keeps its own account of the position
   if size <= 0 then
      return nil -- files of /proc and /dev say 0
   end
   return math.max(size - self:tell(), 0)
end

local function move(self, offset, whence)
   if not self.seekable then
      self.failure = 'it is a pipe or a terminal, which have no positions'
      return false
   end
   self:flush()
   self.cursor, self.filled, self.limit = 0, 0, 0
   self.appending = false
   if C.torch_fseeko(self.handle, offset, whence) ~= 0 then
      self.failure = reason()
      return false
   end
   return true
end

--- Go to a position, from 0.
-- @return true, or false with `failure` set
function Stdio:seek(offset)
   if self.limit == 0 and offset >= self.base and offset <= self.base + self.filled then
      self.cursor = offset - self.base
      return true
   end
   local before = self:tell()
   local moved = move(self, offset, SEEK_SET)
   self.base = moved and offset or before
   return moved
end

--- Go past the last byte.
-- @return true, or false with `failure` set
function Stdio:seekEnd()
   local before = self:tell()
   local moved = move(self, 0, SEEK_END)
   self.base = moved and tonumber(C.torch_lseek(self.fd, 0, SEEK_CUR)) or before
   return moved
end

--- Remember this point for `rollback`.
function Stdio:mark()
   self.marked = self:tell()
end

--- Take back what was written since `mark`, where it has not left for good through a pipe.
function Stdio:rollback()
   local offset, appending = self.marked, self.appending
   if self.limit > 0 and offset >= self.base then
      self.cursor = offset - self.base -- still in the window
   elseif self.seekable and self:seek(offset) and appending then
      C.torch_fflush(self.handle)
      C.torch_ftruncate(self.fd, offset)
      self.appending = true
   end
end

--- Called before a public call; only memory streams have something to look after then.
function Stdio:refresh() -- luacheck: ignore 212
end

--- Hand everything to the operating system.
function Stdio:synchronize()
   local flushed = self:flush()
   if self.isPipe then
      holdSignal()
   end
   if self.limit > 0 and C.torch_fflush(self.handle) ~= 0 then
      self.failure = reason()
      flushed = false
   end
   if self.isPipe then
      letSignal()
   end
   return flushed
end

--- @return true, or false and the reason: bytes that could not be stored, or how a command ended
function Stdio:close()
   local stored = self:synchronize()
   local problem = not stored and self.failure
   local status = self.close_(ffi.gc(self.handle, nil))
   self.handle = nil
   if status ~= 0 and not problem then
      problem = reason()
      if self.isPipe then
         problem = ('the command ended with status %d'):format(
            status > 255 and math.floor(status / 256) or status)
      end
   end
   return not problem, problem or nil
end

return Stdio
