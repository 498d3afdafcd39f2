--- cudnn.convert: swap the classes of a net's layers between nn and cudnn.
-- @module cudnn.convert
local torch = require 'torch'
local nn = require 'nn'
local raise = require('torch.errors').raise
local declare = require 'nn.base.declare'
local trace = require 'torch.errors.trace'
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

-- The layers to be converted: { layer, its new class, its fields now }.
local function plan(net, exclude, from, to)
   local list = {}
   net:apply(function(layer)
      local name = not (exclude and exclude(layer)) and counterpart(layer, from, to)
      if name then
         if name == 'nn.TemporalConvolution' and (layer.padH or 0) > 0 then
            no_counterpart('padding of %d frames', layer.padH)
         end
         local fields = {}
         for key, value in pairs(layer) do
            fields[key] = value
         end
         list[#list + 1] = { layer = layer, name = name, fields = fields }
      end
   end)
   return list
end

local function swap(list)
   local verbose = package.loaded.cudnn.verbose
   for _, entry in ipairs(list) do
      local layer, name = entry.layer, entry.name
      if verbose then
         io.stderr:write(('cudnn.convert: %s -> %s\n'):format(torch.typename(layer), name))
      end
      declare.complete(torch.setmetatable(layer, name), layer.__version)
   end
end

local function undo(list, from)
   for _, entry in ipairs(list) do
      local layer, old = entry.layer, from .. entry.name:match '%.(.*)$'
      torch.setmetatable(layer, old)
      for key in pairs(layer) do
         if entry.fields[key] == nil then
            layer[key] = nil
         end
      end
      for key, value in pairs(entry.fields) do
         layer[key] = value
      end
   end
end

--- Give each layer of a net the class of that name in the other package, in place: parameters,
-- buffers, groups and modes stay. A conversion that fails leaves the net as it was.
-- @param net a module
-- @param dst cudnn or nn
-- @func[opt] exclude exclude(module) returns true for a module to be left as it is
-- @return net; the converted module where net itself is a layer
-- @function cudnn.convert
-- @raise "cudnn.convert: expected a net and the package cudnn or nn, got a string second"
return function(net, dst, exclude)
   if not torch.isTypeOf(net, 'nn.Module') then
      raise(('cudnn.convert: expected a net and the package cudnn or nn, got a %s first'):format(
         torch.type(net)))
   end
   local from, to = packageName(dst)
   local list = plan(net, exclude, from, to)
   local ok, err = xpcall(swap, trace.keep, list)
   if not ok then
      undo(list, from)
      trace.rethrow(err)
   end
   return net
end
