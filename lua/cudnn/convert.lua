--- cudnn.convert: swap the classes of a net's layers between nn and cudnn.
-- @module cudnn.convert
local torch = require 'torch'
local nn = require 'nn'
local raise = require('torch.errors').raise
local declare = require 'nn.base.declare'
local layers = require 'cudnn.layers'

local NAMES = {
   'SpatialConvolution', 'SpatialFullConvolution', 'TemporalConvolution', 'VolumetricConvolution',
   'VolumetricFullConvolution', unpack(layers.names),
}

-- The class that stands for a layer's in the other package, or nil.
local function counterpart(layer, from, to)
   local name = torch.typename(layer)
   for _, class in ipairs(NAMES) do
      if name == from .. class then
         return torch.getmetatable(to .. class) and to .. class
      end
   end
end

local function packageName(dst)
   local cudnn = package.loaded.cudnn
   if dst == cudnn then
      return 'nn.', 'cudnn.'
   elseif dst == nn then
      return 'cudnn.', 'nn.'
   end
   raise('cudnn.convert: expected a net and the package cudnn or nn, got a ' .. torch.type(dst)
      .. ' second')
end

local function no_counterpart(what, number)
   raise(('cudnn.convert: a convolution with ' .. what .. ' has no counterpart in nn; leave it out '
      .. 'with the third argument'):format(number))
end

--- Give each layer of a net the class of that name in the other package, in place: parameters,
-- buffers and modes stay.
-- @param net a module
-- @param dst cudnn or nn
-- @func[opt] exclude exclude(module) returns true for a module to be left as it is
-- @return net; the converted module where net itself is a layer
-- @function cudnn.convert
-- @raise "cudnn.convert: a convolution with 2 groups has no counterpart in nn; ..."
return function(net, dst, exclude)
   if not torch.isTypeOf(net, 'nn.Module') then
      raise(('cudnn.convert: expected a net and the package cudnn or nn, got a %s first'):format(
         torch.type(net)))
   end
   local from, to = packageName(dst)
   local verbose = package.loaded.cudnn.verbose
   net:apply(function(layer)
      if exclude and exclude(layer) then
         return
      end
      local name = counterpart(layer, from, to)
      if not name then
         return
      elseif to == 'nn.' and (layer.groups or 1) > 1 then
         no_counterpart('%d groups', layer.groups)
      elseif to == 'nn.' and (layer.padH or 0) > 0 and name == 'nn.TemporalConvolution' then
         no_counterpart('padding of %d frames', layer.padH)
      end
      if verbose then
         io.stderr:write(('cudnn.convert: %s -> %s\n'):format(torch.typename(layer), name))
      end
      declare.complete(torch.setmetatable(layer, name), layer.__version)
   end)
   return net
end
