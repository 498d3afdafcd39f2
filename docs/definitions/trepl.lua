---@meta trepl
-- Written by `th docs/make_definitions.lua` from the docstrings; not to be edited.

local trepl = {}

---A value as text, in the colour of its kind where colours are on.
---@param ... any
function trepl.colorize(...) end

---Make a package's fields globals.
---@param package string string: a package, which is required, or its table
---@param forced boolean boolean, optional: replace globals that exist
function trepl.import(package, forced) end

---Report global variables that user code makes, and reads before they are made: most are a `local`
---that was forgotten, or a name mistyped. Each name is reported once.
---@param callback function function(name, event, place), optional: called with 'newindex' or 'index' and 'file:line'; by default a warning is written
function trepl.monitor_G(callback) end

---No colours from now on.
function trepl.noColors() end

---Print a field and its value.
---@param key any of a table
---@param value any what it holds
---@param depth? integer how deep the table lies within others (integer, default 0)
function trepl.printvar(key, value, depth) end

---Run the loop on standard input until it ends.
---@param ... any
---@return any
function trepl.repl(...) end

---How deep tables are shown within tables; 0 shows the outermost alone.
---@param level integer 0, 1, 2, ... (integer)
function trepl.setprintlevel(level) end

---An array among other things: what it is, not what it holds.
---@param x torch.Tensor tensor or storage
---@return string
function trepl.sizestr(x) end

---Print the user's global variables, a line each.
---@param all boolean boolean, optional: those of libraries, too
function trepl.who(all) end

return trepl
