--- Runs the examples of docstrings and of Markdown pages.
--
-- In an example, `code --> value` says what an expression is worth, `value` being Lua as well:
--
--    local t = torch.Tensor { 1, 2 }
--    t * 2 --> { 2, 4 }
--    #t, t:sum() --> { 2 }, 3
--    t + 'a' --> error: "expected"
--
-- Tensors and storages compare with tables of numbers, whose rounding is that of what a page shows.
-- As a script, `th test/support/documents/examples.lua PACKAGE... FILE.md...` runs them all in a
-- process of their own, each with globals of its own, and prints what failed and how many ran.
local torch = require 'torch'

local M = {}

local function isClose(got, expected)
   -- Pages show 5 digits, as tensors are printed.
   return got == expected or math.abs(got - expected) <= 5e-5 * math.max(1, math.abs(expected))
      or got ~= got and expected ~= expected
end

local function same(got, expected)
   if torch.isTensor(got) or torch.isStorage(got) then
      got = got:totable()
   end
   if type(got) == 'number' and type(expected) == 'number' then
      return isClose(got, expected)
   elseif type(got) ~= 'table' or type(expected) ~= 'table' then
      return got == expected
   end
   for key, value in pairs(expected) do
      if not same(got[key], value) then
         return false
      end
   end
   for key in pairs(got) do
      if expected[key] == nil then
         return false
      end
   end
   return true
end

local function shown(list)
   local texts = {}
   for i = 1, list.n do
      texts[i] = torch.type(list[i]) == 'string' and ('%q'):format(list[i]) or tostring(list[i])
   end
   return table.concat(texts, ', ')
end

local function pack(...)
   return { n = select('#', ...), ... }
end

-- What the chunk made of an example calls at each `-->`.
local function judge(name)
   local function values(line, code, expected)
      local got, wanted = pack(code()), pack(expected())
      local equal = got.n == wanted.n
      for i = 1, wanted.n do
         equal = equal and same(got[i], wanted[i])
      end
      if not equal then
         error(('%s:%d: got %s, the example says %s'):format(name, line, shown(got),
            shown(wanted)), 0)
      end
   end
   local function failure(line, code, text)
      local ok, message = pcall(code)
      if ok or not tostring(message):find(text, 1, true) then
         error(('%s:%d: %s; the example says error: %s'):format(name, line,
            ok and 'no error' or tostring(message), text), 0)
      end
   end
   return values, failure
end

--- The lines of an example as a chunk of Lua that compares what it says.
-- @return source, number of comparisons
function M.source(lines)
   local out, comparisons = {}, 0
   for i, line in ipairs(lines) do
      local code, value = line:match '^(.-)%s*%-%->%s*(.+)$'
      if code and loadstring('return ' .. code) then
         comparisons = comparisons + 1
         local text = value:match '^error:%s*(.+)$'
         local form = text and '__fails(%d, function() return %s end, %s)'
            or '__gives(%d, function() return %s end, function() return %s end)'
         line = form:format(i, code, text or value)
      end
      out[i] = line
   end
   return table.concat(out, '\n'), comparisons
end

--- Run an example.
-- @param name string, for messages: file:line
-- @param lines list of strings
-- @param[opt] globals table: what several examples share
-- @return nil, or what is wrong; number of comparisons
function M.run(name, lines, globals)
   local gives, fails = judge(name)
   local source, comparisons = M.source(lines)
   local chunk, message = loadstring(source, '=' .. name)
   if not chunk then
      return message, comparisons
   end
   globals = globals or setmetatable({}, { __index = _G })
   globals.__gives, globals.__fails = gives, fails
   local ok, failure = pcall(setfenv(chunk, globals))
   return not ok and tostring(failure) or nil, comparisons
end

--- The blocks of Lua in a Markdown page.
-- @return list of { first line's number, lines }
function M.ofPage(path)
   local found, block = {}, nil
   local number = 0
   for line in io.lines(path) do
      number = number + 1
      if line:match '^```' then
         if not block and line == '```lua' then
            block = { number, {} }
            found[#found + 1] = block
         else
            block = nil
         end
      elseif block then
         table.insert(block[2], line)
      end
   end
   return found
end

local function ofPackage(package)
   local found = {}
   for _, file in ipairs(require('torch.docs').package(package).files) do
      for _, entry in ipairs(file.entries) do
         if #entry.example > 0 then
            found[#found + 1] = { entry.line, entry.example, file.path }
         end
      end
   end
   return found
end

local function main(names)
   local ran, compared = 0, 0
   for _, name in ipairs(names) do
      local page = name:match '%.md$'
      if not page then
         require(name)
      end
      for _, example in ipairs(page and M.ofPage(name) or ofPackage(name)) do
         local line, lines, path = unpack(example)
         torch.manualSeed(1)
         local failure, comparisons = M.run(('%s:%d'):format(path or name, line), lines)
         ran, compared = ran + 1, compared + comparisons
         if failure then
            print(failure)
         end
      end
   end
   print(('%d examples, %d comparisons'):format(ran, compared))
end

if arg and (arg[0] or ''):match 'support/documents/examples%.lua$' then
   main(arg)
end

return M
