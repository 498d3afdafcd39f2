--- Helpers of layers that call Torch7's kernels: `require 'nn.THNN'`, or nn.THNN.
--
--    local THNN = require 'nn.THNN'
--    input.THNN.SpatialConvolutionMM_updateOutput(input:cdata(), output:cdata(), weight:cdata(),
--       THNN.optionalTensor(bias), finput:cdata(), fgradInput:cdata(), 3, 3, 1, 1, 1, 1)
--
-- `THNN.kernels['torch.FloatTensor']` is the table of a type's kernels by name, as the field `THNN`
-- of its tensors.
-- @module nn.THNN

local ffi = require 'ffi'
local raise = require('torch.errors').raise
local thnn = require 'nn.thnn'

local THNN = setmetatable({}, {
   -- Reading the kernels takes some milliseconds.
   __index = function(THNN, key)
      if key == 'kernels' then
         thnn.load()
         THNN.kernels = thnn.tables
         return thnn.tables
      end
   end,
})

local state = ffi.new 'void *'

--- The state that Torch7's C library is given: a null pointer. The kernels here take none.
function THNN.getState()
   return state
end

--- What stands for a tensor that may be nil in a kernel's arguments.
-- @param t tensor or nil
-- @return its cdata, or nil
function THNN.optionalTensor(t)
   return t and t:cdata()
end

--- Run a kernel by its name.
-- @string name such as 'Abs_updateOutput'
-- @string typename such as 'torch.FloatTensor'
-- @param ... its arguments
-- @raise "THNN: there is no kernel Abs_update of torch.FloatTensor"
function THNN.runKernel(name, typename, ...)
   local kernels = THNN.kernels[typename]
   local kernel = kernels and kernels[name]
   if not kernel then
      raise(('THNN: there is no kernel %s of %s'):format(tostring(name), tostring(typename)))
   end
   return kernel(...)
end

--- The functions of a C library that is built as Torch7's: they are called THNN_<type><name>, and
-- take a state first.
-- @param lib an FFI namespace (or table)
-- @tparam table names 'Abs_updateOutput', ...; those that the library lacks are left out
-- @string typename the part of the functions' names: 'Float'
-- @func stateGetter gives the state
-- @return name -> function without the state
function THNN.bind(lib, names, typename, stateGetter)
   local bound = {}
   for _, name in ipairs(names) do
      local found, f = pcall(function() return lib['THNN_' .. typename .. name] end)
      if found and f ~= nil then
         bound[name] = function(...)
            return f(stateGetter(), ...)
         end
      end
   end
   return bound
end

return THNN
