--- Reading a file once in a process of its own, where it may do no harm.
--
-- The HDF5 library trusts what it reads: some damaged files end the process (those of version
-- 1.10.8 do so in h5dump as well). A child process reads everything, in small parts; how it ends
-- says whether the file can be read.
-- @module hdf5.verify
local ffi = require 'ffi'
local torch = require 'torch'
local types = require 'torch.types'
local hdf5 = require 'hdf5.module'
local h5 = require 'hdf5.ffi'
local kinds = require 'hdf5.types'
local objects = require 'hdf5.objects'

ffi.cdef [[
int torch_h5_fork(void) __asm__("fork");
int torch_h5_pipe(int *ends) __asm__("pipe");
int torch_h5_close(int fd) __asm__("close");
ptrdiff_t torch_h5_read(int fd, void *data, size_t n) __asm__("read");
ptrdiff_t torch_h5_write(int fd, const void *data, size_t n) __asm__("write");
int torch_h5_waitpid(int pid, int *status, int options) __asm__("waitpid");
int torch_h5_setrlimit(int resource, const unsigned long *limits) __asm__("setrlimit");
unsigned torch_h5_alarm(unsigned seconds) __asm__("alarm");
void torch_h5_exit(int status) __asm__("_exit");
]]

local M = {}

local os_ = ffi.C

local PIECE = 2 ^ 24 -- bytes read at once
local DATA, CORE = 2, 4 -- resources of <sys/resource.h>
local MEMORY = 2 ^ 30 -- bytes that the child may take beyond what there is
local SIGALRM, EINTR = 14, 4

-- Read all elements in parts, into memory of FFI's: threads of other libraries do not survive a
-- fork.
local function readSet(set)
   local id = set._box.id[0]
   local kind = h5.C.H5Dget_type(id)
   local name = kinds.torch(kind)
   h5.C.H5Tclose(kind)
   local sizes = set:dataspaceSize()
   local elements = 1
   for _, n in ipairs(sizes) do
      elements = elements * n
   end
   if not name or #sizes > 16 or elements == 0 or set._isNull
      or not pcall(set.__checkMemory, set, elements, types.sizes[types.numbers[name]]) then
      return -- nothing that `all` would read
   end
   local size = types.sizes[types.numbers[name]]
   local row = #sizes > 0 and elements / sizes[1] or 1
   local rows = math.max(1, math.min(sizes[1] or 1, math.floor(PIECE / (row * size))))
   local buffer = ffi.new('uint8_t[?]', rows * row * size)
   if #sizes == 0 then
      h5.check(h5.C.H5Dread(id, kinds.native(name), 0, 0, 0, buffer), 'cannot read %s', set._name)
      return
   end
   for first = 1, sizes[1], rows do
      set:__readInto(buffer, kinds.native(name), first, math.min(rows, sizes[1] - first + 1))
   end
end

local function walk(object, seen)
   local identity = objects.identity(object._box.id[0])
   if seen[identity] then
      return
   end
   seen[identity] = true
   if torch.isTypeOf(object, 'hdf5.HDF5DataSet') then
      readSet(object)
      return
   end
   for _, name in ipairs(object:keys()) do
      local ok, child = pcall(objects.load, object, object._box.id[0], name)
      if ok then
         walk(child, seen)
         child:close()
      elseif not tostring(child):match 'neither a group'
         and not tostring(child):match 'component not found' then -- a link to nothing is no damage
         error(child, 0)
      end
   end
end

-- Bytes of data that this process has mapped.
local function dataBytes()
   local status = io.open '/proc/self/status'
   local text = status and status:read '*a' or ''
   if status then
      status:close()
   end
   return (tonumber(text:match 'VmData:%s*(%d+)') or 2 ^ 32) * 1024
end

local function child(filename, out, seconds)
   collectgarbage 'stop'
   os_.torch_h5_setrlimit(CORE, ffi.new 'unsigned long[2]')
   local most = dataBytes() + MEMORY
   os_.torch_h5_setrlimit(DATA, ffi.new('unsigned long[2]', most, most))
   os_.torch_h5_alarm(seconds)
   local ok, message = pcall(function()
      local file = hdf5.HDF5File.open(filename, 'r')
      walk(file:read(), {})
      file:close()
   end)
   if not ok then
      message = tostring(message):gsub('^.-hdf5: ', '')
      os_.torch_h5_write(out, message, math.min(#message, 4000))
   end
   os_.torch_h5_exit(ok and 0 or 1)
end

--- Whether a file can be read as a whole, found out in a process of its own: a damaged file may
-- crash the HDF5 library, and is an error here. For files of unknown origin, before `hdf5.open`.
-- @string filename
-- @int[opt=600] seconds after which the file counts as unreadable
-- @return true; or false and the reason
-- @usage hdf5.verify(filename [, seconds]) -> boolean, reason
function M.verify(filename, seconds)
   if type(filename) ~= 'string' or filename:find '%z' then
      h5.fail('verify: expected a file name, got %s', filename == nil and 'nil'
         or 'a ' .. torch.type(filename))
   end
   local ends, status = ffi.new 'int[2]', ffi.new 'int[1]'
   io.stdout:flush()
   if os_.torch_h5_pipe(ends) ~= 0 then
      h5.fail('verify: no pipe can be opened; close files that are no longer needed')
   end
   local pid = os_.torch_h5_fork()
   if pid == 0 then
      child(filename, ends[1], seconds or 600)
   end
   os_.torch_h5_close(ends[1])
   if pid < 0 then
      os_.torch_h5_close(ends[0])
      h5.fail('verify: no process can be started')
   end
   local text, n = ffi.new 'char[4096]', 0
   repeat
      local got = tonumber(os_.torch_h5_read(ends[0], text + n, 4096 - n))
      n = n + math.max(got, 0)
   until got == 0 or n == 4096 or got < 0 and ffi.errno() ~= EINTR
   os_.torch_h5_close(ends[0])
   while os_.torch_h5_waitpid(pid, status, 0) < 0 and ffi.errno() == EINTR do end
   local signal = status[0] % 128
   if signal == SIGALRM then
      return false, ('it was not read within %d seconds'):format(seconds or 600)
   elseif signal ~= 0 then
      return false, ('it is damaged: the HDF5 library ends with signal %d over it'):format(signal)
   elseif status[0] ~= 0 then
      return false, n > 0 and ffi.string(text, n) or 'it cannot be read'
   end
   return true
end

return M
