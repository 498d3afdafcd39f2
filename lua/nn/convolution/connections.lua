--- What convolutions by a table of connections have in common: each row (from, to) of `connTable`
-- has a kernel, and planes that are not connected have none.
-- @module nn.convolution.connections

local torch = require 'torch'
local nn = require 'nn'
local th = require 'torch.ffi'

local C = th.C

local M = {}

-- layer -> { table, device, list }. Not a field: conversions would change the list's type.
local known_places = setmetatable({}, { __mode = 'k' })

-- How many connections each output plane has.
local function counts(self)
   local count = {}
   for k = 1, self.nOutputPlane do
      count[k] = 0
   end
   for k = 1, self.connTable:size(1) do
      local to = self.connTable[k][2]
      count[to] = count[to] + 1
   end
   return count
end

--- Give a class derived from nn.Convolution its methods.
-- @param Layer
-- @func place place(layer, from, to) is the number of a kernel among all of them, from 0 on
function M.install(Layer, place)
   function Layer:__initialize(conMatrix, kW, kH)
      self.connTable = conMatrix
      self.nInputPlane = conMatrix:select(2, 1):max()
      self.nOutputPlane = conMatrix:select(2, 2):max()
      self:__addWeights({ conMatrix:size(1), kH, kW }, { self.nOutputPlane })
   end

   --- Draw each kernel uniformly in ±1/sqrt(kW kH n), where n kernels have its output plane; the
   -- biases likewise.
   -- @number[opt] stdv standard deviation for all of them instead
   -- @return self
   function Layer:reset(stdv)
      if stdv then
         return nn.Weighted.reset(self, stdv)
      end
      local count = counts(self)
      local function draw(tensor, outputs)
         local bound = 1 / math.sqrt(self.kW * self.kH * outputs)
         tensor:uniform(-bound, bound)
      end
      for k = 1, self.connTable:size(1) do
         draw(self.weight[k], count[self.connTable[k][2]])
      end
      for k = 1, self.nOutputPlane do
         draw(self.bias:narrow(1, k, 1), math.max(count[k], 1))
      end
      return self
   end

   --- Let weights and biases shrink by a part of themselves.
   -- @number decay the part
   function Layer:decayParameters(decay)
      self.weight:add(-decay, self.weight)
      self.bias:add(-decay, self.bias)
   end

   -- Where the kernels lie among those of all pairs of planes: made when it is first wanted.
   local function places(self)
      local known = known_places[self]
      if known and known.table == self.connTable and known.device == self.weight.device then
         return known.list
      end
      local list = torch.LongTensor(self.connTable:size(1))
      for k = 1, list:size(1) do
         list[k] = place(self, self.connTable[k][1], self.connTable[k][2]) + 1
      end
      list = th.likeType(self.weight, C.TH_LONG):resize(list:size()):copy(list)
      known_places[self] = { table = self.connTable, device = self.weight.device, list = list }
      return list
   end

   local function all(self, name)
      local kernels = self[name] or self.weight.new()
      self[name] = kernels
      return kernels:resize(self.nInputPlane * self.nOutputPlane, self.kH * self.kW):zero()
   end

   local function shaped(self, kernels)
      return kernels:view(unpack(self:__kernelSizes()))
   end

   local function rows(weight)
      return weight:view(weight:size(1), -1)
   end

   function Layer:__kernel()
      return shaped(self, all(self, '_kernel'):indexAdd(1, places(self), rows(self.weight)))
   end

   function Layer:__kernelGradient()
      return shaped(self, all(self, '_kernelGradient'))
   end

   function Layer:__takeGradient()
      self.gradWeight:add(self._kernelGradient:index(1, places(self)):viewAs(self.gradWeight))
   end
end

return M
