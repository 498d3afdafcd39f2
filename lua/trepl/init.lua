--- The read-eval-print loop of `th`.
-- An expression's values are printed; the first stays in `_LAST` and `_`. Input that is not yet
-- complete goes on in the next line. An error prints its traceback and changes nothing else.

local ffi = require 'ffi'
local call = require 'trepl.call'
local lines = require 'trepl.lines'

local PROMPT, CONTINUED = 'th> ', '..> '
local SIGINT = 2

ffi.cdef 'void (*signal(int number, void (*handler)(int)))(int);'

local M = {}

local function is_incomplete(message)
   return message:find("near '<eof>'$") ~= nil
end

--- Compile one input: as an expression where it is one, as a statement otherwise.
-- @return a chunk whose results, after the first, are the values to print; or nil, message, and
-- whether more lines could make it complete
function M.compile(source)
   source = source:gsub('^%s*=', ''):gsub('^%s*return%f[^%w_]', '') -- ways to ask for a value
   -- With a value before it, a call is no tail call: its line stays in tracebacks.
   local expression, expression_error = loadstring('return nil, ' .. source, '=stdin')
   if expression then
      return expression
   end
   local statement, statement_error = loadstring(source, '=stdin')
   if statement then
      return statement
   end
   local incomplete = is_incomplete(statement_error) or is_incomplete(expression_error)
   return nil, statement_error, incomplete
end

-- Read until the input compiles or cannot be saved. Returns chunk or nil and message; nothing at
-- all at the end of the input.
local function read_chunk(input)
   local source = input.read(PROMPT)
   if not source then
      return nil
   end
   while true do
      local chunk, message, incomplete = M.compile(source)
      if chunk or not incomplete then
         return chunk, message
      end
      local line = input.read(CONTINUED)
      if not line then
         return nil, message
      end
      source = source .. '\n' .. line
   end
end

local function show(results)
   if results.n > 1 then
      _G._LAST, _G._ = results[2], results[2]
      print(unpack(results, 2, results.n))
   end
end

local function evaluate(chunk)
   local ok, results = call.traced(chunk)
   if ok then
      ok, results = call.traced(show, results) -- a __tostring may raise, too
   end
   return ok, results
end

-- Ctrl-C ends the evaluation at hand: LuaJIT's handler raises an error at the next instruction, and
-- has to be put back each time. While a line is read that instruction would come with the next one,
-- which would be lost; so Ctrl-C does nothing then.
local function interrupts()
   local IGNORE = ffi.cast('void (*)(int)', 1) -- SIG_IGN
   local handler = ffi.C.signal(SIGINT, nil)
   return function()
      ffi.C.signal(SIGINT, IGNORE)
   end, function()
      ffi.C.signal(SIGINT, handler)
   end
end

-- os.exit() must not lose the history.
local function close_on_exit(input)
   local exit = os.exit
   os.exit = function(...) -- luacheck: ignore 122
      input.close()
      exit(...)
   end
   return function()
      os.exit = exit -- luacheck: ignore 122
      input.close()
   end
end

--- Run the loop on standard input until it ends.
-- @return whether every input ran without error (of use when the input is not a terminal)
function M.repl()
   local input = lines.open()
   local close = close_on_exit(input)
   local hold_interrupts, allow_interrupts = interrupts()
   local all_ok = true
   while true do
      hold_interrupts()
      local chunk, message = read_chunk(input)
      allow_interrupts()
      if chunk then
         local ok, err = evaluate(chunk)
         if not ok then
            io.stderr:write(err or 'nil', '\n')
            all_ok = false
         end
      elseif message then
         io.stderr:write(message, '\n')
         all_ok = false
      else
         break
      end
   end
   if input.interactive then
      print()
   end
   close()
   return all_ok
end

return M
