--- libTHimage, and what calls of it begin and end with.
-- @module image.native
local ffi = require 'ffi'
local tobit = require('bit').tobit
local th = require 'torch.ffi'
local types = require 'torch.types'
local errors = require 'torch.errors'
local class = require 'torch.class'

ffi.cdef(require 'image.gen.image')
errors.library('@' .. package.searchpath('image.gen.image', package.path))

local path, tried = package.searchpath('libTHimage', package.cpath)
if not path then
   errors.raise('image: libTHimage.so is not on package.cpath; start scripts with `th`, or run '
      .. '`eval "$(th --env)"` first.' .. tried)
end

local isTensor, raise = th.isTensor, errors.raise
local tracked = require('torch.variables.tracked').tracked

local M = { C = ffi.load(path) }

-- Gradients would end here, unseen. Bytes of a file have none.
local function checkPlain(r, ...)
   for i = 1, select('#', ...) do
      local x = select(i, ...)
      if isTensor(x) and x.flags ~= 0 and types.isFloating(r.dtype) and tracked(x) then
         raise('image: a picture is a Variable, and functions of pictures have no derivative; give '
            .. 'x:detach(), or call them under torch.noGrad')
      end
   end
end

--- f(r, ...), which writes r, once more after a collection when memory had run out; raises where it
-- fails.
function M.call(f, r, ...)
   if types.variables then
      checkPlain(r, r, ...)
   end
   if f(r, ...) ~= 0 then
      th.recover()
      th.check(f(r, ...))
   end
   if r.store ~= nil then
      r.store.version[0] = tobit(r.store.version[0] + 1)
   end
end

--- What came, in words: "nil", "a string", "a DoubleTensor of 2x3".
function M.describe(x)
   if x == nil then
      return 'nothing'
   elseif isTensor(x) then
      local size = x:dim() == 0 and 'no elements' or table.concat(x:size():totable(), 'x')
      return ('a %s of %s'):format(class.type(x):gsub('^torch%.', ''), size)
   elseif type(x) == 'string' then
      return ("'%s'"):format(x)
   elseif type(x) == 'number' or type(x) == 'boolean' then
      return tostring(x)
   end
   return 'a ' .. class.type(x)
end

--- Raise unless x is a tensor with elements.
function M.checkPicture(name, x)
   if not isTensor(x) or x:dim() == 0 then
      raise(('%s: wanted a picture, a tensor of C x H x W or H x W; got %s'):format(name,
         M.describe(x)))
   end
   return x
end

--- Raise unless x is a number; strings that stand for one are.
function M.checkNumber(name, what, x)
   local number = type(x) == 'number' and x or type(x) == 'string' and tonumber(x)
   if not number then
      raise(('%s: %s must be a number, got %s'):format(name, what, M.describe(x)))
   end
   return number
end

--- The arguments of `f([dst,] src, ...)`: dst, made where there is none, src, and four more.
function M.pair(name, a, b, c, d, e, f)
   if isTensor(b) then
      M.checkPicture(name, b)
      if not isTensor(a) then
         raise(('%s: the result must be a tensor, got %s'):format(name, M.describe(a)))
      end
      return a, b, c, d, e, f
   end
   M.checkPicture(name, a)
   return th.like(a), a, b, c, d, e
end

--- The one of some names that was given.
-- @param values table: name -> value
-- @param name of the function
-- @param what in words: "the mode"
-- @param given what came
-- @param default the name where nothing came
function M.choice(values, name, what, given, default)
   if given == nil then
      given = default
   end
   local value = values[given]
   if value == nil then
      local names = {}
      for key in pairs(values) do
         names[#names + 1] = ("'%s'"):format(key)
      end
      table.sort(names)
      raise(('%s: %s is %s, wanted one of %s'):format(name, what, M.describe(given),
         table.concat(names, ', ')))
   end
   return value
end

-- The names of named arguments that a function does not have are told at once: a misspelt one would
-- be ignored.
local function checkNames(name, given, wanted)
   local known = {}
   for i, one in ipairs(wanted) do
      known[i] = one[1]
   end
   for key in pairs(given) do
      local found = false
      for _, one in ipairs(known) do
         found = found or one == key
      end
      if not found then
         table.sort(known)
         raise(('%s: there is no argument %s; it takes %s'):format(name, tostring(key),
            table.concat(known, ', ')))
      end
   end
end

--- Values by name, given in order or as one table with names.
-- @param name of the function
-- @param wanted list of { name, default }
-- @param ... the arguments
function M.arguments(name, wanted, ...)
   local given, first = {}, (...)
   local named = select('#', ...) == 1 and type(first) == 'table' and not isTensor(first)
      and #first == 0
   if named then
      checkNames(name, first, wanted)
   elseif select('#', ...) > #wanted then
      raise(('%s: %d arguments given, at most %d taken'):format(name, select('#', ...), #wanted))
   end
   for i, one in ipairs(wanted) do
      local value
      if named then
         value = first[one[1]]
      else
         value = (select(i, ...))
      end
      if value == nil then
         value = one[2]
      end
      given[one[1]] = value
   end
   return given
end


return M
