--- A layer's twin: the same layer in a lower type, which computes for it.
-- @module torch.train.precision.twins

local torch = require 'torch'
local nested = require 'nn.nested'
local th = require 'torch.ffi'

local M = {}

local function tensors(list)
   return nested.append({}, list or {})
end

-- How often the memory of parameters was written to: of all, as what is frozen lies apart from what
-- learns. Nil where others write, too: of a file, other processes may.
local function version(list)
   local sum = 0
   for i = 1, #list do
      local store = list[i].store
      if store ~= nil and not th.C.TH_Storage_isOwn(store) then
         return nil
      end
      sum = sum + (store ~= nil and store.version[0] or 0)
   end
   return sum
end

-- Layers that have their parameters in common have one set of rounded ones.
local function share(memory, base)
   for i, t in ipairs(memory.theirs) do
      t:set(base.theirs[i])
   end
   for i, t in ipairs(memory.their_slopes) do
      t:set(base.their_slopes[i])
   end
end

local function make(memory, module, typename)
   local twin = module:clone()
   twin:type(typename)
   memory.twin, memory.version = twin, nil
   local own, slopes = module:parameters()
   memory.own, memory.slopes = tensors(own), tensors(slopes)
   local theirs, their_slopes = twin:parameters()
   memory.theirs, memory.their_slopes = tensors(theirs), tensors(their_slopes)
   if memory.base then
      share(memory, memory.base)
   end
   return twin
end

-- Rounded once after each step: memory counts its writes.
local function refresh(memory)
   local now = version(memory.own)
   if now == nil or now ~= memory.version then
      for i, own in ipairs(memory.own) do
         memory.theirs[i]:copy(own)
      end
      memory.version = now
   end
end

local STATES = { 'hiddenOutput', 'cellOutput' } -- of cudnn's layers

-- What a recurrent layer goes on with belongs to the layer, which a script calls `forget` of.
local function carry(from, to)
   local name = to:type()
   if from.remembering then
      local states = from:remembered()
      to:recall(states and nested.map(function(t) return t:type(name) end, states))
   elseif from.rememberStates then
      for _, field in ipairs(STATES) do
         to[field] = torch.isTensor(from[field]) and from[field]:type(name) or nil
      end
   end
end

--- The output in the lower type.
function M.forward(memory, module, typename, input)
   local twin = memory.twin or make(memory, module, typename)
   carry(module, twin)
   if twin.train ~= module.train then -- also of what is within it
      twin[module.train == false and 'evaluate' or 'training'](twin)
   end
   refresh(memory.base or memory)
   local output = twin:forward(input)
   carry(twin, module)
   return output
end

local function clear(memory)
   for _, g in ipairs(memory.their_slopes) do
      g:zero()
   end
end

local function hand_over(memory)
   for i, g in ipairs(memory.slopes) do
      memory.wide = memory.wide or g.new()
      g:add(memory.wide:resizeAs(g):copy(memory.their_slopes[i]))
   end
end

--- The gradients: that of the input in the lower type, those of the parameters added to the
-- layer's.
function M.backward(memory, module, method, input, gradOutput, scale)
   local twin = memory.twin
   if method == 'updateGradInput' then
      return twin:updateGradInput(input, gradOutput)
   end
   if module.gradInput == nil then
      twin.gradInput = nil -- nobody asks for it
   end
   clear(memory)
   local gradInput = twin[method](twin, input, gradOutput, scale)
   hand_over(memory)
   return gradInput
end

return M
