--- Is a string a dump of a function that this LuaJIT can load without harm?
--
-- LuaJIT believes what a dump says of its own sizes, and reads and allocates accordingly. This
-- walks through a dump as LuaJIT's reader will and checks that every size is borne out by the
-- bytes. It does not look at what the instructions do: calling a function from an untrusted file is
-- never safe. Format: the comments of lj_bcdump.h in LuaJIT 2.1.
-- @module torch.serialize.bytecode
local bit = require 'bit'

local M = {}

local OWN_HEADER = string.dump(loadstring '')
local VERSION = OWN_HEADER:byte(4)
local FR2 = 0x08
local STRIPPED, BIG_ENDIAN = 0x02, 0x01
local MAX_SLOTS = 250

-- Kinds of constants of a function, and of a table constructor's contents.
local CHILD, TABLE, INT64, UINT64, COMPLEX, STRING = 0, 1, 2, 3, 4, 5
local T_INT, T_NUMBER, T_STRING = 3, 4, 5
local NAMED_VARIABLE = 7 -- smaller bytes of the variable list stand for fixed names

local function malformed(what)
   error(what, 0)
end

-- Instructions that LuaJIT puts into running code only. Dumps never hold them, and string.dump of a
-- function with one follows a trace number into nowhere. Their numbers depend on the version.
local internal = {}
local loaded = package.loaded['jit.vmdef']
local known, vmdef = pcall(require, 'jit.vmdef')
package.loaded['jit.vmdef'] = loaded -- 20 kB that the collector would walk
if known then
   for code = 0, #vmdef.bcnames / 6 - 1 do
      local name = vmdef.bcnames:sub(6 * code + 1, 6 * code + 6):match '%S*'
      internal[code] = name:match '^J' and name ~= 'JMP' or name:match '^I[FIL]'
         or name:match 'FUNC'
   end
end
local OPERATION = require('ffi').abi 'le' and 0 or 3 -- place of its byte in an instruction

-- A cursor over text; `stop` is the last readable position.
local Cursor = {}
Cursor.__index = Cursor

function Cursor:byte()
   local at = self.at
   if at > self.stop then
      malformed 'it ends too early'
   end
   self.at = at + 1
   return self.text:byte(at)
end

function Cursor:skip(n)
   if n > self.stop - self.at + 1 then
      malformed 'it ends too early'
   end
   self.at = self.at + n
end

-- An unsigned number in groups of 7 bits; at most 32 bits.
function Cursor:uleb()
   local value, scale = 0, 1
   repeat
      local b = self:byte()
      value = value + bit.band(b, 127) * scale
      scale = scale * 128
      if value >= 2 ^ 32 then
         malformed 'a number is too large'
      end
   until b < 128
   return value
end

-- A count of things that take at least `each` bytes.
function Cursor:count(each)
   local n = self:uleb()
   if n * each > self.stop - self.at + 1 then
      malformed 'it counts more than it holds'
   end
   return n
end

local function skipTableValue(cursor, isKey)
   local kind = cursor:uleb()
   if kind >= T_STRING then
      cursor:skip(kind - T_STRING)
   elseif kind == T_INT then
      cursor:uleb()
   elseif kind == T_NUMBER then
      cursor:uleb()
      cursor:uleb()
   elseif kind == 0 and isKey then
      malformed 'a table with nil as a key'
   end
end

local function skipTable(cursor)
   local array, hash = cursor:count(1), cursor:count(2)
   for _ = 1, array do
      skipTableValue(cursor)
   end
   for _ = 1, hash do
      skipTableValue(cursor, true)
      skipTableValue(cursor)
   end
end

-- @return how many of the constants are functions defined inside this one
local function skipConstants(cursor, objects, numbers)
   local children = 0
   for _ = 1, objects do
      local kind = cursor:uleb()
      if kind >= STRING then
         cursor:skip(kind - STRING)
      elseif kind == CHILD then
         children = children + 1
      elseif kind == TABLE then
         skipTable(cursor)
      elseif kind == INT64 or kind == UINT64 then
         cursor:uleb()
         cursor:uleb()
      elseif kind == COMPLEX then
         for _ = 1, 4 do
            cursor:uleb()
         end
      end
   end
   for _ = 1, numbers do
      -- 33 bits: the lowest tells whether a second half follows
      local first = cursor:byte()
      if first >= 128 then
         cursor:uleb()
      end
      if first % 2 == 1 then
         cursor:uleb()
      end
   end
   return children
end

local function skipName(cursor)
   repeat until cursor:byte() == 0
end

local function skipDebug(cursor, size, instructions, lines, upvalues)
   local outer = cursor.stop
   if size > outer - cursor.at + 1 then
      malformed 'it ends too early'
   end
   cursor.stop = cursor.at + size - 1
   cursor:skip((instructions) * (lines < 256 and 1 or lines < 65536 and 2 or 4))
   for _ = 1, upvalues do
      skipName(cursor)
   end
   while true do
      local kind = cursor:byte()
      if kind == 0 then
         break
      elseif kind >= NAMED_VARIABLE then
         skipName(cursor)
      end
      cursor:uleb()
      cursor:uleb()
   end
   if cursor.at ~= cursor.stop + 1 then
      malformed 'its debug information has a wrong size'
   end
   cursor.stop = outer
end

-- @return how many function prototypes it takes from those before it
local function skipPrototype(cursor, stripped)
   cursor:byte() -- flags
   local parameters, frame, upvalues = cursor:byte(), cursor:byte(), cursor:byte()
   if frame > MAX_SLOTS or parameters > frame then
      malformed 'a stack frame is too large'
   end
   local objects, numbers, instructions = cursor:count(1), cursor:count(1), cursor:count(4)
   local debugSize, lines = 0, 0
   if not stripped then
      debugSize = cursor:count(1)
      if debugSize > 0 then
         cursor:uleb()
         lines = cursor:uleb()
      end
   end
   if instructions == 0 then
      malformed 'a function without instructions'
   end
   local code = cursor.at
   cursor:skip(4 * instructions + 2 * upvalues)
   for at = code + OPERATION, code + 4 * instructions - 1, 4 do
      if internal[cursor.text:byte(at)] then
         malformed 'it has an instruction that is never stored'
      end
   end
   local children = skipConstants(cursor, objects, numbers)
   if debugSize > 0 then
      skipDebug(cursor, debugSize, instructions, lines, upvalues)
   end
   return children
end

local function walk(text)
   local cursor = setmetatable({ text = text, at = 5, stop = #text }, Cursor)
   local flags = cursor:uleb()
   if flags >= 16 or bit.band(flags, FR2) ~= bit.band(OWN_HEADER:byte(5), FR2)
      or bit.band(flags, BIG_ENDIAN) ~= bit.band(OWN_HEADER:byte(5), BIG_ENDIAN) then
      malformed 'it was written by a LuaJIT for another machine'
   end
   local stripped = bit.band(flags, STRIPPED) ~= 0
   if not stripped then
      cursor:skip(cursor:uleb()) -- chunk name
   end
   local pending = 0 -- prototypes no other has taken yet
   while true do
      local length = cursor:uleb()
      if length == 0 then
         break
      end
      local stop = cursor.stop
      if length > stop - cursor.at + 1 then
         malformed 'it ends too early'
      end
      cursor.stop = cursor.at + length - 1
      local children = skipPrototype(cursor, stripped)
      if cursor.at ~= cursor.stop + 1 then
         malformed 'a function has a wrong size'
      elseif children > pending then
         malformed 'a function inside it is missing'
      end
      pending = pending - children + 1
      cursor.stop = stop
   end
   if pending ~= 1 or cursor.at ~= cursor.stop + 1 then
      malformed 'it does not hold one function'
   end
end

--- Check a dump.
-- @param text string
-- @return true, or false and the reason
function M.check(text)
   if text:sub(1, 4) ~= OWN_HEADER:sub(1, 4) then
      if text:sub(1, 3) == '\27LJ' then
         return false, ('it is bytecode of another LuaJIT (format %d, here %d)'):format(
            text:byte(4) or 0, VERSION)
      elseif text:sub(1, 4) == '\27Lua' then
         return false, 'it is bytecode of the Lua interpreter, not of LuaJIT'
      end
      return false, 'it is not bytecode'
   end
   local ok, reason = pcall(walk, text)
   if ok then
      return true
   end
   return false, 'the bytecode is damaged: ' .. reason
end

return M
