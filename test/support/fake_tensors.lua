--- Stand-ins for tensors and storages, with the public methods a comparison needs, so that the
-- Tester is judged apart from the numeric core.
local class = require 'torch.class'

local M = {}

local function define(name)
   -- Several spec files load this; a class is made once per process.
   local Fake = class.getmetatable(name) or class.class(name, {})

   function Fake:__init(values, ...)
      rawset(self, 'values', values)
      rawset(self, 'sizes', { ... })
      if #values > 0 and select('#', ...) == 0 then
         self.sizes[1] = #values
      end
   end

   function Fake:__index__(key)
      if type(key) == 'number' then
         return rawget(self, 'values')[key], true
      end
      return false
   end

   function Fake:dim()
      return #self.sizes
   end

   function Fake:size(dim)
      return dim and self.sizes[dim] or #self.values
   end

   function Fake:nElement()
      return #self.values
   end

   function Fake:clone()
      return Fake.new({ unpack(self.values) }, unpack(self.sizes))
   end

   function Fake:resize(...)
      rawset(self, 'sizes', { ... })
      return self
   end

   function Fake:add(factor, other)
      for i, value in ipairs(other.values) do
         self.values[i] = self.values[i] + factor * value
      end
      return self
   end

   function Fake:abs()
      for i, value in ipairs(self.values) do
         self.values[i] = math.abs(value)
      end
      return self
   end

   -- As Torch7's: nan wherever there is one.
   function Fake:max()
      local largest = -math.huge
      for _, value in ipairs(self.values) do
         if value ~= value then
            return value
         end
         largest = math.max(largest, value)
      end
      return largest
   end

   return Fake
end

local Double = define('torch.FakeDoubleTensor')
local Byte = define('torch.FakeByteTensor')

function Double:double()
   return self
end

function Byte:double()
   return Double.new({ unpack(self.values) }, unpack(self.sizes))
end

-- Bytes wrap around: a comparison must not subtract them as they are.
function Byte:add(factor, other)
   for i, value in ipairs(other.values) do
      self.values[i] = (self.values[i] + factor * value) % 256
   end
   return self
end

M.DoubleTensor, M.ByteTensor = Double.new, Byte.new
M.DoubleStorage = define('torch.FakeDoubleStorage').new
M.ByteStorage = define('torch.FakeByteStorage').new

return M
