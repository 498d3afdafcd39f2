---@meta sys
-- Written by `th docs/make_definitions.lua` from the docstrings; not to be edited.

---@class sys
sys = {}

---ANSI escape strings by name: red (plain), Red (bold), _red (background), none.
sys.COLORS = {}

---'linux', 'macos' or 'windows'.
sys.OS = ''

---Where the running Lua is installed: the directory above its executable's.
sys.prefix = ''

---Split a string at every match of a Lua pattern; empty pieces at its ends are left out.
---@param ... any
function string.split(...) end

---Time since the Epoch; it jumps when the machine's clock is set.
function sys.clock() end

---An absolute, normalised path: each argument is taken relative to what those before it give, and
---the first relative to the current directory.
---@param ... any
function sys.concat(...) end

---The directory a path lies in, as the shell command of this name gives it: '/a' for '/a/b/'.
---@param ... any
function sys.dirname(...) end

---Run a command; what it writes to its standard output and error, without white space at the ends.
---@param ... any
function sys.execute(...) end

---Run a command with its output in a temporary file, and read from that.
---@param command string string
---@param readwhat any optional: how to read, as for file:read ('*all')
---@return any
function sys.fexecute(command, readwhat) end

---Directory and name of the file that calls.
---@param ... any
---@return any
function sys.fpath(...) end

---Whether a number is nan, the one that differs from itself.
---@param ... any
function sys.isNaN(...) end

---Listings of a directory (by default the current one): names; details; hidden files too; both.
---@param ... any
function sys.la(...) end

---Listings of a directory (by default the current one): names; details; hidden files too; both.
---@param ... any
function sys.ll(...) end

---Listings of a directory (by default the current one): names; details; hidden files too; both.
---@param ... any
function sys.lla(...) end

---Listings of a directory (by default the current one): names; details; hidden files too; both.
---@param ... any
function sys.ls(...) end

---Do nothing for some seconds (a fraction counts).
---@param ... any
function sys.sleep(...) end

---Split a string at every match of a Lua pattern; empty pieces at its ends are left out.
---@param ... any
function sys.split(...) end

---Start the stop-watch that toc reads.
function sys.tic() end

---Seconds since the last tic.
---@param verbose boolean boolean, optional: print them too
function sys.toc(verbose) end

---'linux', 'macos' or 'windows'; another system's own name in lower case.
function sys.uname() end

---Do nothing for some microseconds.
---@param ... any
function sys.usleep(...) end

return sys
