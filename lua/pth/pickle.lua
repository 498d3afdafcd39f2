--- Pickles as PyTorch writes them, read without running anything: a stack machine that knows the
-- opcodes for plain values, and a list of names for all that could be called.
-- Source: the format's description in the standard library (pickletools), protocols 0 to 5.
-- @module pth.pickle
local ffi = require 'ffi'
local numbers = require 'torch.tensor.numbers'

local M = {}

--- Stands for None within lists, which Lua's nil would cut.
M.None = setmetatable({}, { __tostring = function() return 'None' end })

local MARK = {}

--- A Python tuple or list: its entries, and `n`.
local function sequence(kind, list)
   list.n, list.kind = list.n or #list, kind
   return list
end

local Machine = {}
Machine.__index = Machine

local function fail(text, ...)
   error({ pickle = text:format(...) }, 0)
end

function Machine:bytes(n)
   if n < 0 or self.at + n > #self.text then
      fail('the pickle ends early')
   end
   local part = self.text:sub(self.at + 1, self.at + n)
   self.at = self.at + n
   return part
end

function Machine:integer(n)
   local part, value = self:bytes(n), 0
   for i = n, 1, -1 do
      value = value * 256 + part:byte(i)
   end
   return value
end

-- Two's complement of n bytes, as a Lua number.
function Machine:signed(n)
   if n == 0 then
      return 0
   end
   local value = self:integer(n)
   return value >= 2 ^ (8 * n - 1) and value - 2 ^ (8 * n) or value
end

function Machine:line()
   local stop = self.text:find('\n', self.at + 1, true) or fail('the pickle ends early')
   local part = self.text:sub(self.at + 1, stop - 1)
   self.at = stop
   return part
end

function Machine:push(value)
   self.top = self.top + 1
   self.stack[self.top] = value
end

function Machine:pop()
   local value = self.stack[self.top]
   if value == nil or value == MARK then
      fail('the pickle takes more from its stack than is there')
   end
   self.stack[self.top] = nil
   self.top = self.top - 1
   return value
end

-- What lies above the last mark.
function Machine:above()
   local first = self.top
   while first > 0 and self.stack[first] ~= MARK do
      first = first - 1
   end
   if first == 0 then
      fail('the pickle wants a mark that is not there')
   end
   local list = { n = self.top - first }
   for i = first + 1, self.top do
      list[i - first] = self.stack[i]
      self.stack[i] = nil
   end
   self.stack[first] = nil
   self.top = first - 1
   return list
end

local function is_dict(value)
   return type(value) == 'table' and value.kind == 'dict'
end

-- Keys of tables here are texts, numbers and truth values.
local function set(dict, key, value)
   if not is_dict(dict) then
      fail('an entry is put into what is no dict')
   elseif type(key) ~= 'string' and type(key) ~= 'number'
      and type(key) ~= 'boolean' or key ~= key then
      fail('a key of a dict is neither text nor number')
   end
   if dict.entries[key] == nil then
      dict.order[#dict.order + 1] = key
   end
   dict.entries[key] = value
end

local function set_all(dict, list)
   if list.n % 2 ~= 0 then
      fail('a dict has a key without a value')
   end
   for i = 1, list.n, 2 do
      set(dict, list[i], list[i + 1])
   end
   return dict
end

--- An empty dict: `entries` by key, keys in `order`.
function M.dict()
   return { kind = 'dict', entries = {}, order = {} }
end

local function append(list, value)
   if type(list) ~= 'table' or list.kind ~= 'list' then
      fail('an entry is put behind what is no list')
   end
   list.n = list.n + 1
   list[list.n] = value
end

local O = {} -- opcode -> function(machine)

local function constant(value)
   return function(m)
      m:push(value)
   end
end

O.N, O['\136'], O['\137'] = constant(M.None), constant(true), constant(false)
O['('] = constant(MARK)
O['}'] = function(m) m:push(M.dict()) end
O[']'] = function(m) m:push(sequence('list', {})) end
O[')'] = function(m) m:push(sequence('tuple', {})) end

O['\128'] = function(m) -- PROTO
   local version = m:integer(1)
   if version > 5 then
      fail('protocol %d, those to 5 are read', version)
   end
end
O['\149'] = function(m) m:bytes(8) end -- FRAME

O.K = function(m) m:push(m:integer(1)) end
O.M = function(m) m:push(m:integer(2)) end
O.J = function(m) m:push(m:signed(4)) end
O['\138'] = function(m) -- LONG1
   local n = m:integer(1)
   if n > 8 then
      fail('a whole number of %d bytes', n)
   end
   m:push(m:signed(n))
end
O.G = function(m)
   local bytes = ffi.new('uint8_t[8]')
   ffi.copy(bytes, m:bytes(8):reverse(), 8)
   m:push(numbers.double(ffi.cast('double *', bytes), 0)) -- a NaN of a file may hold any bits
end

O.X = function(m) m:push(m:bytes(m:integer(4))) end
O['\140'] = function(m) m:push(m:bytes(m:integer(1))) end
O.T, O.U, O.C, O.B = O.X, O['\140'], O['\140'], O.X

O.t = function(m) m:push(sequence('tuple', m:above())) end
O.l = function(m) m:push(sequence('list', m:above())) end
O.d = function(m) m:push(set_all(M.dict(), m:above())) end
for n, code in ipairs { '\133', '\134', '\135' } do
   O[code] = function(m)
      local list = { n = n }
      for i = n, 1, -1 do
         list[i] = m:pop()
      end
      m:push(sequence('tuple', list))
   end
end

local function beneath(m)
   local value = m.stack[m.top]
   return value ~= nil and value or fail('the pickle takes more from its stack than is there')
end

O.a = function(m)
   local value = m:pop()
   append(beneath(m), value)
end
O.e = function(m)
   local list = m:above()
   for i = 1, list.n do
      append(beneath(m), list[i])
   end
end
O.s = function(m)
   local value = m:pop()
   local key = m:pop()
   set(beneath(m), key, value)
end
O.u = function(m)
   local list = m:above()
   set_all(beneath(m), list)
end
O['0'] = function(m) m:pop() end
O['2'] = function(m) m:push(beneath(m)) end

local function remember(m, place)
   m.memo[place] = beneath(m)
end
local function recall(m, place)
   local value = m.memo[place]
   if value == nil then
      fail('the pickle recalls what it has not remembered')
   end
   m:push(value)
end
O.q = function(m) remember(m, m:integer(1)) end
O.r = function(m) remember(m, m:integer(4)) end
O['\148'] = function(m) -- MEMOIZE
   remember(m, m.memos)
   m.memos = m.memos + 1
end
O.h = function(m) recall(m, m:integer(1)) end
O.j = function(m) recall(m, m:integer(4)) end

local function global(m, module, name)
   local title = module .. '.' .. name
   local known = m.globals[title]
   if not known then
      fail("it wants '%s', which is not read: only tensors, numbers, texts, lists and dicts are. "
         .. 'Save net.state_dict(), not the net',
         #title > 100 and title:sub(1, 97) .. '...' or title)
   end
   m:push({ kind = 'global', title = title, call = known.call, value = known.value })
end
O.c = function(m)
   local module = m:line()
   global(m, module, m:line())
end
O['\147'] = function(m) -- STACK_GLOBAL
   local name = m:pop()
   local module = m:pop()
   if type(name) ~= 'string' or type(module) ~= 'string' then
      fail('a name is no text')
   end
   global(m, module, name)
end

O.R = function(m)
   local arguments = m:pop()
   local f = m:pop()
   if type(f) ~= 'table' or f.kind ~= 'global' or not f.call then
      fail('it calls what cannot be called')
   elseif type(arguments) ~= 'table' or arguments.kind ~= 'tuple' then
      fail('%s is called without a tuple of arguments', f.title)
   end
   m:push(f.call(arguments))
end
O.Q = function(m) m:push(m.persistent(m:pop())) end
-- The state of an object: of dicts what Python keeps beside their entries (_metadata).
O.b = function(m)
   m:pop()
   if not is_dict(beneath(m)) then
      fail('it gives a state to what has none')
   end
end

local function shown(code)
   return code:find '[%w%p]' and ("'%s'"):format(code) or ('%d'):format(code:byte())
end

--- The value of a pickle: numbers, texts, booleans, `M.None`, sequences, dicts, and what the
-- caller's functions gave.
-- @string text the bytes
-- @tparam table globals name -> { call = function(arguments), value = }
-- @tparam function persistent what a persistent id stands for
-- @return the value; raises { pickle = text }
function M.read(text, globals, persistent)
   local m = setmetatable({ text = text, at = 0, stack = {}, top = 0, memo = {}, memos = 0,
      globals = globals, persistent = persistent }, Machine)
   while true do
      local code = m:bytes(1)
      if code == '.' then
         return m:pop()
      end
      local operation = O[code]
      if not operation then
         fail('it has the opcode %s, which is not read', shown(code))
      end
      operation(m)
   end
end

M.fail = fail
return M
