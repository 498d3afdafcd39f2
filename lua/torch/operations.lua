--- The list of operations (lib/TH/ops), and the functions of its regular families.
--
-- A family's text below is the source of its functions: NAME and the like are filled in from each
-- row, and all of it is compiled at once. So each function is a plain one that calls `C.TH_name`
-- with a fixed number of arguments, which is what LuaJIT compiles best. Irregular forms are written
-- by hand in the files beside this one; rows whose names end in _value, _scaled or _backward are
-- building blocks for those.
-- @module torch.operations
local th = require 'torch.ffi'
local signatures = require 'torch.signatures'

local PROLOGUE = [[
local th, number, type = ...
local C, like, likeType, recover, check = th.C, th.like, th.likeType, th.recover, th.check
local isTensor, withNumbers = th.isTensor, th.withNumbers
local T, F = {}, {}
]]

-- CALL(a, b) makes the call, once more when memory had run out; REFUSE(f, form, ...) calls f again
-- with numbers where strings stand for such, or raises.
local FAMILIES = {
   unary = [[
      function T.NAME(r, x)
         if x == nil then x = r elseif not isTensor(x) then REFUSE(T.NAME, "*T* [T]", r, x) end
         CALL(r, x)
         return r
      end
      function F.NAME(r, x)
         if type(r) == 'number' and x == nil then return number(T.NAME, r) end
         if not isTensor(r) then REFUSE(F.NAME, "[*T*] T | number", r, x) end
         if x == nil then r, x = like(r), r
         elseif not isTensor(x) then REFUSE(F.NAME, "[*T*] T", r, x) end
         CALL(r, x)
         return r
      end]],
   scalar = [[
      function T.NAME(r, a, b)
         local x, value = a, b
         if b == nil then x, value = r, a end
         if type(value) ~= 'number' or not isTensor(x) then
            REFUSE(T.NAME, "*T* [T] number", r, a, b)
         end
         CALL(r, x, value)
         return r
      end
      function F.NAME(a, b, c)
         local r, x, value = a, b, c
         if not isTensor(a) then REFUSE(F.NAME, "[*T*] T number", a, b, c) end
         if c == nil then r, x, value = like(a), a, b end
         if type(value) ~= 'number' or not isTensor(x) then
            REFUSE(F.NAME, "[*T*] T number", a, b, c)
         end
         CALL(r, x, value)
         return r
      end]],
   scalar2 = [[
      function T.NAME(r, a, b, c)
         local x, v, w = a, b, c
         if c == nil then x, v, w = r, a, b end
         if type(v) ~= 'number' or type(w) ~= 'number' or not isTensor(x) then
            REFUSE(T.NAME, "*T* [T] number number", r, a, b, c)
         end
         CALL(r, x, v, w)
         return r
      end
      function F.NAME(a, b, c, d)
         local r, x, v, w = a, b, c, d
         if not isTensor(a) then REFUSE(F.NAME, "[*T*] T number number", a, b, c, d) end
         if d == nil then r, x, v, w = like(a), a, b, c end
         if type(v) ~= 'number' or type(w) ~= 'number' or not isTensor(x) then
            REFUSE(F.NAME, "[*T*] T number number", a, b, c, d)
         end
         CALL(r, x, v, w)
         return r
      end]],
   binary = [[
      function T.NAME(r, a, b)
         local x, y = a, b
         if b == nil then x, y = r, a end
         if not isTensor(x) or not isTensor(y) then REFUSE(T.NAME, "*T* [T] T", r, a, b) end
         CALL(r, x, y)
         return r
      end
      function F.NAME(a, b, c)
         local r, x, y = a, b, c
         if not isTensor(a) then REFUSE(F.NAME, "[*T*] T T", a, b, c) end
         if c == nil then r, x, y = like(a), a, b end
         if not isTensor(x) or not isTensor(y) then REFUSE(F.NAME, "[*T*] T T", a, b, c) end
         CALL(r, x, y)
         return r
      end]],
   binary_scalar = '',
   ternary_scalar = [[
      local function NAME(r, x, value, y, z)
         if type(value) ~= 'number' or not isTensor(r) or not isTensor(x) or not isTensor(y)
            or not isTensor(z) then
            REFUSE(NAME, "[*T*] T [number] T T", r, x, value, y, z)
         end
         CALL(r, x, value, y, z)
         return r
      end
      function T.NAME(r, a, b, c, d)
         if d ~= nil then return NAME(r, a, b, c, d) end
         if c == nil then return NAME(r, r, 1, a, b) end
         if type(a) ~= 'cdata' then return NAME(r, r, a, b, c) end
         return NAME(r, a, 1, b, c)
      end
      function F.NAME(r, a, b, c, d)
         if not isTensor(r) then REFUSE(F.NAME, "[*T*] T [number] T T", r, a, b, c, d) end
         if d ~= nil then return NAME(r, a, b, c, d) end
         if c == nil then return NAME(like(r), r, 1, a, b) end
         if type(a) ~= 'cdata' then return NAME(like(r), r, a, b, c) end
         return NAME(r, a, 1, b, c)
      end]],
   compare = [[
      function T.NAME(r, x, y)
         if y == nil then
            if not isTensor(r) then
               REFUSE(T.NAME, "[*ByteTensor* | *T*] T (T | number)", r, x, y)
            end
            r, x, y = likeType(r, C.TH_BYTE), r, x
         end
         if not isTensor(x) then REFUSE(T.NAME, "[*ByteTensor* | *T*] T (T | number)", r, x, y) end
         if type(y) == 'number' then
            CALL_value(r, x, y)
         elseif isTensor(y) then
            CALL(r, x, y)
         else
            REFUSE(T.NAME, "[*ByteTensor* | *T*] T (T | number)", r, x, y)
         end
         return r
      end
      F.NAME = T.NAME]],
}

local function source(row)
   local text = FAMILIES[row.family]
   text = text:gsub('CALL([%w_]*)(%b())', function(suffix, arguments)
      local call = ('C.TH_NAME%s%s'):format(suffix, arguments)
      return ('if %s ~= 0 then recover() check(%s) end'):format(call, call)
   end)
   text = text:gsub('REFUSE%(([%w.]+), (".-"), (.-)%)', function(f, form, arguments)
      local _, commas = arguments:gsub(',', '')
      return ('return withNumbers(%s, "NAME", %s, %d, %s)'):format(f, form, commas + 1, arguments)
   end)
   return (text:gsub('NAME', row.name))
end

local M = {}

local Row = {}
function Row:__index(key)
   return key == 'parameters' and signatures.of(self.name) or nil
end

--- The rows of the regular families, in the list's order: family, name, dtypes, formula, and
-- parameters as `torch.signatures` gives them.
function M.rows()
   local rows = {}
   for i, row in ipairs(require('torch.gen.rows').families) do
      rows[i] = setmetatable(row, Row)
   end
   return rows
end

local texts = { PROLOGUE }
for i, row in ipairs(require('torch.gen.rows').families) do
   texts[i + 1] = source(row)
end
texts[#texts + 1] = 'return T, F'

-- Named as a file of this library: errors are not blamed on its lines.
local chunk = assert(loadstring(
   table.concat(texts, '\n'), (debug.getinfo(1, 'S').source:gsub('%.lua$', '/generated.lua'))))

--- Methods (in place, or into self) and functions (a new result, or into the first argument).
M.methods, M.functions = chunk(th, function(method, x)
   return M.number(method, x)
end, type)

return M
