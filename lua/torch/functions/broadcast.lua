--- NumPy's broadcasting and negative dimensions, for scripts that ask for them: torch.broadcast.
--
-- The switch replaces functions of the table torch and methods of the tensor classes; while it is
-- off, nothing of this file runs.
-- @module torch.functions.broadcast
local th = require 'torch.ffi'
local types = require 'torch.types'
local shapes = require 'torch.functions.shapes'
local Tensors = require 'torch.Tensor'
local class = require 'torch.class'

local raise, isTensor = th.raise, th.isTensor

-- --- sizes --------------------------------------------------------------------------------------

-- Where tensors stand among arguments.
local function tensorsAmong(arguments, n)
   local places = {}
   for i = 1, n do
      if isTensor(arguments[i]) then
         places[#places + 1] = i
      end
   end
   return places
end

-- Expand the operands of an operation where their sizes differ and agree after NumPy's rules.
-- Anything else is left as it is: the operation has its own rule (equal counts) and its own errors.
-- @param operands number of tensors it computes with; one more is the result
-- @param inPlace whether one tensor less means that the first is operand and result
local function broadcasting(original, operands, inPlace)
   return function(...)
      local n, arguments = select('#', ...), { ... }
      local places = tensorsAmong(arguments, n)
      local count = #places
      local onto = inPlace and count == operands -- t:add(u): t keeps its sizes
      if count < operands or (inPlace and count == 1) then
         return original(...)
      end
      local list = {}
      for i = onto and 1 or count - operands + 1, count do
         list[#list + 1] = arguments[places[i]]
      end
      local shape = shapes.common(list)
      if not shape or (onto and not shapes.has(list[1], shape)) then
         return original(...)
      end
      for i = 1, #list do
         arguments[places[count - #list + i]] = shapes.expand(list[i], shape)
      end
      return original(unpack(arguments, 1, n))
   end
end

-- --- dimensions ---------------------------------------------------------------------------------

-- Let the dimensions at some places count from the end. Places count after the leading tensors, the
-- last of which is the operand.
-- @param extra 1 where a dimension of the result is meant, which has one more
local function fromTheEnd(name, original, places, extra)
   return function(...)
      local n = select('#', ...)
      local lead, x = 0, nil
      while lead < n do
         local argument = select(lead + 1, ...)
         if type(argument) == 'table' then -- torch.cat joins its tensors, torch.split fills it
            argument = argument[1]
         elseif not isTensor(argument) then
            break
         end
         x, lead = isTensor(argument) and argument or x, lead + 1
      end
      local arguments
      for i = 1, x and (#places > 0 and #places or n - lead) or 0 do
         local place = lead + (places[i] or i)
         local dim = select(place <= n and place or n, ...)
         if place <= n and type(dim) == 'number' and dim < 0 then
            local rank = x.ndim + (extra or 0)
            if dim < -rank then
               raise(('%s: dimension %d out of range of %dD tensor'):format(name, dim, x.ndim))
            end
            arguments = arguments or { ... }
            arguments[place] = rank + 1 + dim
         end
      end
      if arguments then
         return original(unpack(arguments, 1, n))
      end
      return original(...)
   end
end

-- --- operators ----------------------------------------------------------------------------------

-- Operators that Torch7 has for numbers, or as products of linear algebra: element by element where
-- it has nothing.
local function elementwise(original, method, applies)
   return function(a, b)
      if isTensor(a) and isTensor(b) and applies(a, b) then
         local r = th.like(a)
         return r[method](r, a, b)
      end
      return original(a, b)
   end
end

local function notProducts(a, b)
   return a.ndim > 2 or b.ndim > 2
end

local function always()
   return true
end

-- --- the list -----------------------------------------------------------------------------------

local inPlace = { -- name -> operands; methods with one tensor less work in place
   add = 2, csub = 2, cmul = 2, cdiv = 2, cpow = 2, cmax = 2, cmin = 2, cfmod = 2, cremainder = 2,
   cmod = 2, atan2 = 2, lerp = 2, clshift = 2, crshift = 2, cbitand = 2, cbitor = 2, cbitxor = 2,
   addcmul = 3, addcdiv = 3,
}
local anew = { -- methods give a new result, as functions do
   lt = 2, le = 2, gt = 2, ge = 2, eq = 2, ne = 2, dist = 2, __add__ = 2, __sub__ = 2, __mod__ = 2,
}
local dimensions = { -- name -> places of dimensions among the arguments after the tensors
   size = { 1 }, stride = { 1 }, narrow = { 1 }, select = { 1 }, transpose = { 1, 2 },
   permute = {}, unfold = { 1 }, squeeze = { 1 }, split = { 2 }, chunk = { 2 }, sum = { 1 },
   prod = { 1 }, mean = { 1 }, min = { 1 }, max = { 1 }, var = { 1 }, std = { 1 }, norm = { 2 },
   cumsum = { 1 }, cumprod = { 1 }, index = { 1 }, gather = { 1 }, scatter = { 1 },
   indexCopy = { 1 }, indexAdd = { 1 }, indexFill = { 1 }, sort = { 1 }, topk = { 2 },
   kthvalue = { 2 }, median = { 1 }, mode = { 1 }, renorm = { 2 }, cat = { 1 },
}

-- All replacements for a table of functions or methods.
local function replacements(owner, isMethods)
   local new = {}
   for name, operands in pairs(inPlace) do
      new[name] = owner[name] and broadcasting(owner[name], operands, isMethods)
   end
   for name, operands in pairs(anew) do
      new[name] = owner[name] and broadcasting(owner[name], operands, false)
   end
   for name, places in pairs(dimensions) do
      new[name] = owner[name] and fromTheEnd(name, owner[name], places)
   end
   new.unsqueeze = owner.unsqueeze and fromTheEnd('unsqueeze', owner.unsqueeze, { 1 }, 1)
   if isMethods then
      new.__mul__ = elementwise(owner.__mul__, 'cmul', notProducts)
      new.__div__ = elementwise(owner.__div__, 'cdiv', always)
   end
   return new
end

-- --- the switch ---------------------------------------------------------------------------------

local saved = {} -- table -> name -> { what stood there, what we put there }

local function replace(owner, isMethods)
   saved[owner] = {}
   for name, f in pairs(replacements(owner, isMethods)) do
      saved[owner][name] = { owner[name], f }
      rawset(owner, name, f)
   end
end

local function restore(owner)
   for name, pair in pairs(saved[owner]) do
      if owner[name] == pair[2] then -- else somebody has replaced it since
         rawset(owner, name, pair[1])
      end
   end
   saved[owner] = nil
end

local equip = nil -- Tensors.equip while the switch is on: cutorch may come later

local function switchOn(torch)
   replace(torch, false)
   for _, methods in pairs(types.tensors) do
      if methods.add then
         replace(methods, true)
      end
   end
   equip = Tensors.equip
   Tensors.equip = function(methods)
      equip(methods)
      replace(methods, true)
   end
end

local function switchOff()
   Tensors.equip, equip = equip, nil
   for owner in pairs(saved) do
      restore(owner)
   end
end

local F = {}

--- Switch NumPy's rules on or off; they are off at first, and scripts see exactly Torch7.
--
-- While they are on:
--
-- * Operands of different sizes are expanded where the sizes agree: from the last dimension on they
--   must be equal or 1, and missing leading dimensions count as 1. So a 4x1 and a 3 give 4x3. That
--   holds for `+`, `-`, `%`, for the comparisons, for add, csub, cmul, cdiv, cpow, cmax, cmin and
--   the other operations of two or three tensors. Sizes that do not agree follow Torch7's rule:
--   equal numbers of elements, or an error.
-- * In place (`x:add(y)`), x keeps its sizes and y is expanded to them.
-- * `*` between vectors and matrices stays the product of linear algebra. With more than two
--   dimensions on a side, where Torch7 has no product, it is element by element, as is `/` between
--   tensors.
-- * A negative `dim` counts from the end: -1 is the last.
--
-- A function kept in a local variable before the switch stays what it was.
-- @function broadcast
-- @param[opt] on boolean; without it, nothing changes
-- @return whether the rules were on before
-- @usage torch.broadcast(true)
-- local centred = x - x:mean(-1)
-- @example
-- torch.broadcast(true)
-- local x = torch.Tensor { { 1, 3 }, { 5, 7 } }
-- x - x:mean(-1) --> { { -1, 1 }, { -1, 1 } }
-- torch.broadcast(false)
function F.broadcast(on)
   local was = equip ~= nil
   if on ~= nil and type(on) ~= 'boolean' then
      raise(('broadcast: expected true or false, got %s'):format(class.type(on)))
   elseif on == true and not was then
      switchOn(require 'torch')
   elseif on == false and was then
      switchOff()
   end
   return was
end

return { methods = {}, functions = F }
