---@meta xlua
-- Written by `th docs/make_definitions.lua` from the docstrings; not to be edited.

---@class xlua
xlua = {}

---Options of a script, declared as Python's optparse does (xlua.OptionParser).
---
---    local op = xlua.OptionParser('%prog [options] files')
---    op:option { '-n', '--count', dest = 'count', default = 10, help = 'how many' }
---    op:option { '-v', '--verbose', action = 'store_true', dest = 'verbose', default = false }
---    local options, files = op:parse()
---@class xlua.OptionParser
---@overload fun(usage: string): xlua.OptionParser
xlua.OptionParser = {}

---Times of named parts of a program (xlua.Profiler).
---
---    local profiler = xlua.Profiler()
---    profiler:start('load')
---    ...
---    profiler:lap('load')
---    profiler:printAll()
---@class xlua.Profiler
---@overload fun(mode: string, verbose: boolean): xlua.Profiler
xlua.Profiler = {}

---The value a dotted name stands for, from the globals on; nil when there is none.
---@param ... any
function string.tosymbol(...) end

---A list without duplicates, each value where it first came.
---@param list any a table, which is not changed
---@param hash function function, optional: values of equal hash are duplicates (by default, equal values)
---@param merge function function, optional: merge(kept, duplicate) gives the value to keep
function table.prune(list, hash, merge) end

---Take some elements out of a list.
---@param list any a table, which is not changed
---@param start any index of the first element to take (1)
---@param length any how many to take (1)
---@return torch.Tensor
function table.splice(list, start, length) end

---Print a message and the help, and end the program with status 1.
---@param ... any
function xlua.OptionParser:fail(...) end

---The flags of an option as text: '-n, --count'; of all options, one a line, without argument.
---@param ... any
function xlua.OptionParser:flags(...) end

---Print the usage and the options.
function xlua.OptionParser:help() end

---Declare an option.
---@param optdesc table table: a list of flags, such as '-n' and '--count', with the fields dest (key of the value; by default the last flag's name), action ('store' a value, 'store_true', 'store_false'), default, req (whether it must be given), help
function xlua.OptionParser:option(optdesc) end

---Parse the global `arg`. '--' ends the options; an error ends the program, and so does --help.
---@param options table table, optional: values by key that hold before the command line does
---@return table
function xlua.OptionParser:parse(options) end

---Print the values parsed last.
---@param compact boolean boolean, optional: on one line
function xlua.OptionParser:summarize(compact) end

---The values parsed last, as text: 'count=3,verbose=true'.
---@param generatefilename boolean boolean, optional: put '_' for what no file name should have
---@param params any list of flags, optional: the options to name, in this order; by default those that differ from their defaults
function xlua.OptionParser:tostring(generatefilename, params) end

---Processor time of a part in seconds; while it goes on, up to now.
---@param divider number number, optional: how many times it was done
function xlua.Profiler:cpu(divider) end

---Write the times of all parts on an image.
---@param args table table: painter (an object with the methods setcolor(name), moveto(x, y) and show(text), as qtlua's painters have), x, y (position of the first line, 10 and 20), zoom (1), height (of a line, 16)
function xlua.Profiler:displayAll(args) end

---The times of a part as text: 'load: 12.00ms (cpu) 15.00ms (real)'.
---@param ... any
function xlua.Profiler:format(...) end

---The times of all parts as text, one a line.
function xlua.Profiler:formatAll() end

---End a part.
---@param divider number number, optional: how many times it was done; the times are of one
---@return table
function xlua.Profiler:lap(divider) end

---Print the times of a part.
---@param ... any
function xlua.Profiler:print(...) end

---Print the times of all parts.
function xlua.Profiler:printAll() end

---Wall-clock time of a part in seconds; while it goes on, up to now.
---@param ... any
function xlua.Profiler:real(...) end

---The colour of a part, a name of sys.COLORS.
---@param ... any
function xlua.Profiler:setColor(...) end

---Begin a part.
---@param name string string
---@param fps boolean boolean, optional: show how many times it could be done in a second
function xlua.Profiler:start(name, fps) end

---Delete global variables of the user's.
---@param var any a variable's name, or its value
function xlua.clear(var) end

---Delete all global variables of the user's, and free their memory.
function xlua.clearall() end

---Parameters with values from the environment: variable `lr` replaces the default of key lr.
---@param defaults table table: key -> number, string or boolean (others are taken over as they are)
---@return torch.Tensor
function xlua.envparams(defaults) end

---Raise an error at the user's line.
---@param message string string
---@param domain string string, optional: the part of a program that fails, shown in angle brackets
---@param usage string string, optional: shown below
function xlua.error(message, domain, usage) end

---A duration in its two largest units: '1m20s', '3s250ms', '0ms'.
---@param ... any
function xlua.formatTime(...) end

---Whether `require` would find a module.
---@param ... any
function xlua.installed(...) end

---Copy to a file whatever `print` and `io.write` show from now on.
---@param file string string: its directory is made if need be
---@param append boolean boolean, optional: keep what the file holds
function xlua.log(file, append) end

---Print values, tables with their contents.
---@param ... any
function xlua.print(...) end

---Show how far a loop has come, with the time a step takes and the time left.
---Each call draws over the line of the one before; reaching the goal ends the line. A smaller
---`current` or another `goal` begins a new bar.
---@param current number number of steps done
---@param goal number number of steps to do
function xlua.progress(current, goal) end

---Require a module that may be missing; if it is, say so and go on.
---@param name string string
---@param rock string string, optional: the rock that has it, for the advice
---@param server string string, optional: where the rock is
---@return any
function xlua.require(name, rock, server) end

---A table as text, `{[key] = value, ...}`, tables in it likewise.
---@param t table table
---@param newline boolean boolean, optional: one entry a line
function xlua.table2string(t, newline) end

---Call f(); if it raises an error, call catch(error).
---@param ... any
---@return any
function xlua.trycatch(...) end

---The arguments of a call, given in order or by name, with defaults for those left out.
---@param arguments table table: the caller's `{...}`
---@param name string string: of the caller, for the usage
---@param description string string
---@param ... any descriptions of the arguments
---@return torch.Tensor
function xlua.unpack(arguments, name, description, ...) end

---Like unpack; the values also become fields of an object.
---@param ... any
function xlua.unpack_class(...) end

---The usage of a function as text: its description, arguments and example.
---@param name string string
---@param description string string, optional
---@param example string string, optional
---@param ... any descriptions of arguments; a further string is an example too
function xlua.usage(name, description, example, ...) end

---The names of a module's functions, and of its other fields, as text.
---@param module table table
---@param name string string
---@param description string string, optional
function xlua.usage_module(module, name, description) end

---Print the loaded libraries that are globals, and the user's global variables.
function xlua.who() end

return xlua
