--- Programs run on a pseudo-terminal, as somebody at a keyboard runs them.
--
--     local t = terminal.open('th', { columns = 80 })
--     t:expect('th> '):send('1 + 1\r')
--     t:expect('2')
local ffi = require 'ffi'

ffi.cdef [[
typedef struct { unsigned short rows, columns, width, height; } test_winsize;
typedef struct { int fd; short events, revents; } test_pollfd;
int test_forkpty(int *, char *, const void *, const test_winsize *) __asm__("forkpty");
int test_execl(const char *, const char *, const char *, const char *, const char *)
   __asm__("execl");
void test_exit(int) __asm__("_exit");
long test_read(int, void *, size_t) __asm__("read");
long test_write(int, const void *, size_t) __asm__("write");
int test_close(int) __asm__("close");
int test_poll(test_pollfd *, unsigned long, int) __asm__("poll");
int test_kill(int, int) __asm__("kill");
int test_waitpid(int, int *, int) __asm__("waitpid");
]]
local C = ffi.C
local POLLIN, SIGKILL, WNOHANG = 1, 9, 1
local PATIENCE = 40 -- seconds, for a machine that has much else to do

local Terminal = {}
Terminal.__index = Terminal

local M = {}

local function start(command, options)
   local size = ffi.new('test_winsize', options.rows or 24, options.columns or 80, 0, 0)
   local master = ffi.new 'int[1]'
   local pid = C.test_forkpty(master, nil, nil, size)
   if pid == 0 then -- the child: only what a fork may do
      C.test_execl('/bin/sh', 'sh', '-c', command, nil)
      C.test_exit(127)
   end
   return pid > 0 and { fd = master[0], pid = pid } or nil
end
jit.off(start)

--- Run a shell command on a terminal of its own.
-- @param options table, optional: columns (80), rows (24), environment (assignments before the
-- command)
function M.open(command, options)
   options = options or {}
   local self = start(('TERM=xterm %s exec %s'):format(options.environment or '', command), options)
   assert(self, 'no pseudo-terminal')
   self.raw, self.output, self.at = '', '', 1
   return setmetatable(self, Terminal)
end

local buffer = ffi.new('char[?]', 4096)
local wait = ffi.new 'test_pollfd'

-- Take what is there within so many milliseconds; false at the end of the program. `output` is what
-- is shown, without the sequences that move the cursor and colour.
local function receive(self, milliseconds)
   wait.fd, wait.events = self.fd, POLLIN
   if C.test_poll(wait, 1, milliseconds) == 0 then
      return true
   end
   local count = tonumber(C.test_read(self.fd, buffer, 4096))
   if count <= 0 then
      return false
   end
   self.raw = self.raw .. ffi.string(buffer, count)
   self.output = self.raw:gsub('\27%[[%d;?]*%a', ''):gsub('\r', '')
   return true
end

--- Type.
function Terminal:send(keys)
   assert(C.test_write(self.fd, keys, #keys) == #keys)
   return self
end

--- Wait until found() is true.
-- @param found function
-- @string what it waits for, for the error
-- @return what found gave
function Terminal:wait(found, what)
   local deadline = os.time() + PATIENCE
   while true do
      local result = found()
      if result then
         return result
      end
      local alive = receive(self, 200)
      if not alive or os.time() > deadline then
         error(('%s waiting for %s; there is: %s'):format(alive and 'tired of' or 'ended while',
            what, self.output:sub(self.at)), 2)
      end
   end
end

--- Wait until a text appears after what was waited for last.
-- @param text as it is, no pattern
-- @return the terminal
function Terminal:expect(text)
   self:wait(function()
      local first, last = self.output:find(text, self.at, true)
      self.at = last and last + 1 or self.at
      return first
   end, ('%q'):format(text))
   return self
end

--- Wait until nothing more comes for a while.
function Terminal:settle()
   local before
   repeat
      before = #self.raw
   until not receive(self, 700) or #self.raw == before
   return self
end

--- Wait until the program ends.
-- @return its exit status; nil when a signal ended it
function Terminal:finish()
   local deadline = os.time() + PATIENCE
   while receive(self, 200) and os.time() <= deadline do -- luacheck: ignore 542
   end
   local status = ffi.new 'int[1]'
   while C.test_waitpid(self.pid, status, WNOHANG) == 0 do
      if os.time() > deadline then
         self:close()
         error('the program does not end', 2)
      end
      receive(self, 50)
   end
   self.pid = nil
   C.test_close(self.fd)
   return bit.band(status[0], 0x7f) == 0 and bit.rshift(status[0], 8) or nil
end

--- End the program, if it still runs.
function Terminal:close()
   if self.pid then
      C.test_kill(self.pid, SIGKILL)
      C.test_waitpid(self.pid, nil, 0)
      C.test_close(self.fd)
      self.pid = nil
   end
end

--- `it`, or `pending` with the reason where no terminal can be had.
function M.it(name, f)
   local busted = require 'busted'
   local possible = pcall(function()
      M.open('true'):finish()
   end)
   if possible then
      busted.it(name, f)
   else
      busted.pending(name .. ' (no pseudo-terminal here: is /dev/ptmx there?)')
   end
end

return M
