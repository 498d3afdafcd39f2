--- The terminal that a line is edited on: its modes, its size, the keys that come from it.
-- @module trepl.editor.terminal
local ffi = require 'ffi'

-- Own names for libc's functions: a program may have declared these itself, with other types.
ffi.cdef [[
typedef struct {
   unsigned int input, output, control, local;
   unsigned char line, characters[32];
   unsigned int speeds[2];
} trepl_termios;
typedef struct { unsigned short rows, columns, width, height; } trepl_winsize;
typedef struct { int fd; short events, revents; } trepl_pollfd;
int trepl_isatty(int) __asm__("isatty");
int trepl_tcgetattr(int, trepl_termios *) __asm__("tcgetattr");
int trepl_tcsetattr(int, int, const trepl_termios *) __asm__("tcsetattr");
int trepl_ioctl(int, unsigned long, ...) __asm__("ioctl");
long trepl_read(int, void *, size_t) __asm__("read");
int trepl_poll(trepl_pollfd *, unsigned long, int) __asm__("poll");
int trepl_raise(int) __asm__("raise");
]]
local C = ffi.C

-- <termios.h>, <sys/ioctl.h> and <signal.h> of Linux.
local ICRNL, IXON = 0x100, 0x400
local ISIG, ICANON, ECHO, IEXTEN = 0x1, 0x2, 0x8, 0x8000
local VTIME, VMIN = 5, 6
local TCSADRAIN = 1
local TIOCGWINSZ = 0x5413
local POLLIN = 1
local SIGTSTP = 20
local EINTR = 4

local KEYBOARD, SCREEN = 0, 1
local PASTES_ON, PASTES_OFF = '\27[?2004h', '\27[?2004l'

local M = {}

--- Whether both the keyboard and the screen are a terminal's that can move its cursor.
function M.can_edit()
   local kind = os.getenv 'TERM'
   return ffi.os == 'Linux' and C.trepl_isatty(KEYBOARD) == 1 and C.trepl_isatty(SCREEN) == 1
      and kind ~= nil and kind ~= '' and kind ~= 'dumb'
end

--- Whether a descriptor is a terminal.
function M.is_terminal(descriptor)
   return C.trepl_isatty(descriptor) == 1
end

--- Columns and rows; 80 and 24 where the terminal does not say, or says what cannot be.
-- @int[opt] descriptor of the terminal; by default the screen's
function M.size(descriptor)
   local size = ffi.new 'trepl_winsize'
   if C.trepl_ioctl(descriptor or SCREEN, TIOCGWINSZ, size) ~= 0 or size.columns < 2 then
      return 80, 24
   end
   return size.columns, size.rows < 2 and 24 or size.rows
end

local before = ffi.new 'trepl_termios'
local editing = false

--- Keys come one by one and unseen from now on, Ctrl-C among them.
function M.begin()
   if editing or C.trepl_tcgetattr(KEYBOARD, before) ~= 0 then
      return
   end
   local raw = ffi.new('trepl_termios', before)
   raw.input = bit.band(raw.input, bit.bnot(ICRNL + IXON))
   raw['local'] = bit.band(raw['local'], bit.bnot(ISIG + ICANON + ECHO + IEXTEN))
   raw.characters[VMIN], raw.characters[VTIME] = 1, 0
   editing = C.trepl_tcsetattr(KEYBOARD, TCSADRAIN, raw) == 0
   M.write(PASTES_ON)
end

--- The terminal as it was before `begin`.
function M.finish()
   if editing then
      M.write(PASTES_OFF)
      C.trepl_tcsetattr(KEYBOARD, TCSADRAIN, before)
      editing = false
   end
end

--- Stop the program, as Ctrl-Z does elsewhere; it goes on where it was.
function M.suspend()
   M.finish()
   C.trepl_raise(SIGTSTP)
   M.begin()
end

function M.write(text)
   io.stdout:write(text)
   io.stdout:flush()
end

local CHUNK = 4096
local bytes = ffi.new('char[?]', CHUNK)
local wait = ffi.new 'trepl_pollfd'

--- What was typed: at least a byte of it.
-- @param milliseconds number, optional: how long to wait for it; forever without
-- @return string, '' when nothing came in that time; nil at the end of the input
function M.read(milliseconds)
   if milliseconds then
      wait.fd, wait.events = KEYBOARD, POLLIN
      if C.trepl_poll(wait, 1, milliseconds) == 0 then
         return ''
      end
   end
   while true do
      local count = tonumber(C.trepl_read(KEYBOARD, bytes, CHUNK))
      if count > 0 then
         return ffi.string(bytes, count)
      elseif count == 0 or ffi.errno() ~= EINTR then
         return nil
      end
   end
end

return M
