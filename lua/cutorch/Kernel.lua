--- Kernels of CUDA C that a script brings along: cutorch.kernel.
-- @classmod cutorch.Kernel
local ffi = require 'ffi'
local class = require 'torch.class'
local code = require 'cutorch.kernel.code'
local cuda = require 'cutorch.ffi'
local devices = require 'cutorch.device'
local options = require 'torch.options'
local names = require('torch.class.registry').names
local signature = require 'cutorch.kernel.signature'
local th = require 'torch.ffi'
local tracked = require('torch.variables.tracked').tracked
local types = require 'torch.types'

local type = type -- torch puts its own in the global's place

local C, check, isTensor, raise = cuda.C, th.check, th.isTensor, th.raise
local describe = options.describe

local Kernel = class.class('cutorch.Kernel')

-- A launch as the core wants it, and the arrays that it names.
local function newLaunch(parameters)
   local count = math.max(#parameters, 1)
   local slots, places = signature.Slots(count), ffi.new('int[?]', count)
   local tensors, written = ffi.new('const TH_Tensor *[?]', count), ffi.new('bool[?]', count)
   return {
      slots = slots, places = places, tensors = tensors, written = written,
      call = ffi.new('THC_KernelLaunch', {
         argument_count = #parameters, arguments = ffi.cast('const uint64_t *', slots),
         tensors = tensors, places = places, written = written,
      }),
   }
end

local function prepare(self)
   self.parameters = signature.read(self.source, self.name)
   self.opened = {} -- device -> THC_Kernel
   code.open(self.source, self.name, self.parameters, devices.index()) -- errors belong to this line
end

function Kernel:__init(source, name, given)
   if type(source) ~= 'string' then
      raise(('cutorch.kernel: expected the source as a string, got %s'):format(describe(source)))
   elseif type(name) ~= 'string' then
      raise('cutorch.kernel: expected the name of a __global__ function, got ' .. describe(name))
   end
   self.strided = options.read('cutorch.kernel', given, { strided = { 'boolean', false } }).strided
   self.source, self.name = source, name
   prepare(self)
end

-- Files and other threads get the source; it is compiled anew.
function Kernel:__write(file)
   file:writeObject { source = self.source, name = self.name, strided = self.strided }
end

function Kernel:__read(file)
   local kept = file:readObject()
   self.source, self.name, self.strided = kept.source, kept.name, kept.strided
   prepare(self)
end

-- --- a launch's arguments -----------------------------------------------------------------------

local function refuse(self, parameter, x, wanted)
   raise(('cutorch.kernel: %s: %s is %s%s, expected %s'):format(self.name, parameter.name,
      isTensor(x) and 'a ' or '', describe(x), wanted))
end

local function wantedTensor(parameter)
   local dtype = parameter.type.dtype
   return dtype and ('a tensor of %ss on a device (%s)'):format(parameter.typeName,
      names[types.tensors[16 * C.TH_CUDA + dtype]]) or 'a tensor on a device'
end

local function checkTensor(self, parameter, x)
   local dtype = parameter.type.dtype
   if not isTensor(x) or x.device_type ~= C.TH_CUDA or x.ndim == 0
      or (dtype and x.dtype ~= dtype) then
      refuse(self, parameter, x, wantedTensor(parameter))
   elseif not self.strided and not C.TH_isContiguous(x) then
      raise(('cutorch.kernel: %s: %s is not contiguous, but a kernel sees elements one after the '
         .. 'other; give %s:contiguous(), or make the kernel with { strided = true } and give it '
         .. 'the strides'):format(self.name, parameter.name, parameter.name))
   elseif x.flags ~= 0 and tracked(x) then
      raise(('cutorch.kernel: %s: %s is a Variable, and nothing is known of the kernel\'s '
         .. 'derivative; launch it within torch.Function'):format(self.name, parameter.name))
   end
end

local function storeNumber(self, parameter, slot, x)
   local kind = parameter.type
   if kind.logical then
      if type(x) ~= 'boolean' then
         refuse(self, parameter, x, 'true or false')
      end
   elseif kind.real then
      if type(x) ~= 'number' then
         refuse(self, parameter, x, 'a number')
      end
   else
      local least, beyond, words = signature.range(kind)
      local whole = type(x) == 'number' and x == math.floor(x) and x >= least and x < beyond
      if not whole and not (kind.bits == 64 and (ffi.istype('int64_t', x)
         or ffi.istype('uint64_t', x))) then
         refuse(self, parameter, x, words)
      end
   end
   slot[kind.field] = x
end

local function fill(self, into, list, count)
   local parameters, call = self.parameters, into.call
   if count ~= #parameters then
      local wanted = {}
      for i, parameter in ipairs(parameters) do
         wanted[i] = parameter.name
      end
      raise(('cutorch.kernel: %s: %d arguments, expected %d: %s'):format(self.name, count,
         #parameters, table.concat(wanted, ', ')))
   end
   local n, first = 0, nil
   for i, parameter in ipairs(parameters) do
      local x = list[i]
      if parameter.pointer then
         checkTensor(self, parameter, x)
         first = first or x
         if x.device ~= first.device then
            raise(('cutorch.kernel: %s: %s is on device %d, the tensor before it on device %d')
               :format(self.name, parameter.name, x.device + 1, first.device + 1))
         end
         into.tensors[n], into.places[n], into.written[n] = x, i - 1, not parameter.constant
         n = n + 1
      else
         storeNumber(self, parameter, into.slots[i - 1], x)
      end
   end
   call.tensor_count, call.device = n, first and first.device or devices.index()
end

local function sizes(self, what, given, to)
   local list = type(given) == 'number' and { given } or given
   if type(list) ~= 'table' or #list < 1 or #list > 3 then
      raise(('cutorch.kernel: %s: the %s is %s, expected a number or up to three, as { x, y, z }')
         :format(self.name, what, describe(given)))
   end
   for axis = 1, 3 do
      local size = list[axis] or 1
      if type(size) ~= 'number' or size ~= math.floor(size) or size < 1 or size > 0x7fffffff then
         raise(('cutorch.kernel: %s: the %s has %s at place %d, expected a whole number from 1 on')
            :format(self.name, what, describe(size), axis))
      end
      to[axis - 1] = size
   end
end

local function launch(self, grid, block, shared, list, count)
   -- Taken away meanwhile: a hook of the script's may launch the kernel, too.
   local into = self.idle or newLaunch(self.parameters)
   self.idle = nil
   local call = into.call
   sizes(self, 'grid', grid, call.grid)
   sizes(self, 'block', block, call.block)
   if type(shared) ~= 'number' or shared < 0 or shared ~= math.floor(shared) then
      raise(('cutorch.kernel: %s: shared is %s, expected a number of bytes'):format(self.name,
         describe(shared)))
   end
   call.shared_bytes = shared
   fill(self, into, list, count)
   local device = call.device
   self.opened[device] = self.opened[device]
      or code.open(self.source, self.name, self.parameters, device)
   check(C.THC_Kernel_launch(self.opened[device], call))
   self.idle = into
end

--- Launch the kernel on the current stream of its tensors' device, and return before it is done.
-- @param options table: grid (blocks) and block (threads), each a number or up to three, as
-- { x, y, z }; shared (0), bytes of dynamic shared memory; and the arguments, in their order
-- @return self
-- @raise "cutorch.kernel: scale: n is 0.5, expected a whole number from -2147483648 to 2147483647"
-- @usage k:launch { grid = 4, block = 256, y, x, n } -> self
function Kernel:launch(given)
   if type(given) ~= 'table' then
      raise(('cutorch.kernel: %s: launch takes a table, as in k:launch { grid = 4, block = 256, '
         .. '... }, got %s'):format(self.name, describe(given)))
   end
   local count = 0
   for key in pairs(given) do
      if type(key) == 'number' then
         count = math.max(count, key)
      elseif key ~= 'grid' and key ~= 'block' and key ~= 'shared' then
         raise(("cutorch.kernel: %s: there is no option '%s'; the options are block, grid, shared")
            :format(self.name, tostring(key)))
      end
   end
   launch(self, given.grid, given.block, given.shared or 0, given, count)
   return self
end

--- The same with the arguments behind blocks and threads.
-- @usage k(grid, block, ...) -> self
function Kernel:__call__(grid, block, ...)
   launch(self, grid, block, 0, { ... }, select('#', ...))
   return self
end

function Kernel:__tostring__()
   local list = {}
   for i, parameter in ipairs(self.parameters) do
      list[i] = ('%s%s %s%s'):format(parameter.constant and 'const ' or '', parameter.typeName,
         parameter.pointer and '*' or '', parameter.name)
   end
   return ('cutorch.Kernel: %s(%s)'):format(self.name, table.concat(list, ', '))
end

return Kernel
