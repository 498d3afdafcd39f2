--- A name that its owner does not have, but another has: a method of tensors asked of torch, a
-- module of a package that was not required, a layer's weight asked of the net.
-- @module trepl.failure.owners
local class = require 'torch.class'
local members = require 'trepl.members'

local M = {}

local function method_of_tensors(name)
   local methods = class.getmetatable 'torch.DoubleTensor'
   return type(rawget(methods, name)) == 'function' and not name:find '^__'
end

local function module_of(package_name, name)
   local path = package_name .. '.' .. name
   return package.searchpath(path, package.path) and path
end

-- By which name `require` knows a table.
local function package_name(value)
   for name, loaded in pairs(package.loaded) do
      if loaded == value and type(name) == 'string' and name ~= '_G' then
         return name
      end
   end
end

--- What packages have by another name than one would think: by names that mean something elsewhere.
M.others = {
   image = { resize = 'image.scale(x, width, height)', open = 'image.load(path)',
      read = 'image.load(path)', write = 'image.save(path, x)', show = 'image.display(x)' },
   npy = { read = 'npy.load(path)', write = 'npy.save(path, x)' },
   onnx = { load = 'onnx.import(path)', save = 'onnx.export(path, net, options)' },
   torch = { sub = 'torch.csub(x, y)', size = 'x:size()', nn = "nn, after require 'nn'",
      optim = "optim, after require 'optim'",
      utils = "require('torch.dataset').Loader(options)",
      cuda = "cutorch, after require 'cutorch', which is an error where there is no GPU" },
   optim = { step = 'optim.sgd(opfunc, x, config)' },
}

-- Fields of the struct that a tensor is: the core's own numbers and pointers, which a script sees
-- because LuaJIT looks there before it asks a class.
local INSIDES = {
   dtype = 'x:type(), which gives the name', device_type = 'x:type()',
   device = 'x:type(), which gives the name; of a CUDA tensor x:getDevice() is the number',
   sizes = 'x:size()', strides = 'x:stride()', offset = 'x:storageOffset()', store = 'x:storage()',
   gradient = 'x:isVariable()', flags = 'x:isVariable()', is_view = 'x:storage()',
}

--- What to say of a field that is the core's, or the method data, of what is known for a tensor.
-- @param name string
-- @param owner string: the expression before it
-- @return sentence, or nil
function M.field(name, owner)
   local about = INSIDES[name] and ("x.%s is the core's own; ask %s"):format(name, INSIDES[name])
      or name == 'data' and 'x.data is a method, and its value a function: x:detach() is the '
         .. 'tensor without its record, x:data() the pointer'
   return about and about:gsub('%f[%w]x([.:])', function(mark)
      return owner .. mark
   end) or nil
end

--- What to say of a tensor's field that is the core's.
-- @param name string
-- @param owner string: the expression before it
-- @param value of the expression
-- @return sentence, or nil
function M.inside(name, owner, value)
   return class.isTensor(value) and M.field(name, owner) or nil
end

local function of_package(package_of, name)
   local other = M.others[package_of] and M.others[package_of][name]
   if other then
      return 'here it is ' .. other
   elseif package_of == 'torch' and method_of_tensors(name) then
      return ('it is a method of tensors: x:%s(...)'):format(name)
   elseif package_of == 'torch' and name:find '^Cuda%a*Tensor$' then
      return "require 'cutorch' makes it"
   end
   local module = module_of(package_of, name)
   return module and ("%s is a module of its own: local %s = require '%s'"):format(module, name,
      module)
end

local LEARNT = { weight = true, bias = true, gradWeight = true, gradBias = true }

-- What iterators of other libraries have.
local STEPS = { next = true, iter = true, __iter__ = true, __next__ = true, batches = true }

local function of_object(typename, name, owner, value)
   if typename:find '^torch%.%a+Tensor$' and name == 'grad' then
      return 'it is nil until backward has come to x:requiresGrad()'
   elseif typename:find '^torch%.%a+Tensor$' then
      local torch = package.loaded.torch
      return type(rawget(torch, name)) == 'function'
         and ('it is a function: torch.%s(...)'):format(name)
   elseif typename == 'dataset.Loader' and STEPS[name] then
      return ('batches come in a loop: for batch in %s() do ... end'):format(owner or 'loader')
   elseif name == 'copy' then
      return 'here it is net:clone()'
   elseif LEARNT[name] and class.isTypeOf(value, 'nn.Container') then
      return ('its layers have one: %s:get(1).%s; %s:getParameters() gives all as one'):format(
         owner or 'net', name, owner or 'net')
   end
end

-- A list where one of its entries, or a tensor, was meant.
local function of_table(name, owner, value)
   local first = rawget(value, 1)
   if first ~= nil and members.get(first, name) ~= nil and class.typename(first) then
      return ('%s is a table of %d, the first a %s: %s[1]:%s(...)'):format(owner, #value,
         class.typename(first), owner, name)
   elseif method_of_tensors(name) then
      return ('%s is a table and no tensor: torch.Tensor(%s) makes one of numbers'):format(owner,
         owner)
   end
end

--- What the name may mean.
-- @string name that does not exist
-- @param owner string: the expression before it
-- @param value of the expression
-- @return sentence, or nil
function M.about(name, owner, value)
   local typename = class.typename(value)
   if typename then
      return of_object(typename, name, owner, value) or nil
   elseif type(value) ~= 'table' then
      return nil
   end
   local package_of = package_name(value)
   if package_of then
      return of_package(package_of, name) or nil
   end
   return owner and of_table(name, owner, value) or nil
end

return M
