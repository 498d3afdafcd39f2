--- What the specs of image share.
local torch = require 'torch'
local assert = require 'luassert'

local M = { oracle = dofile 'test/image/oracle.lua', files = 'test/data/image/' }

--- A value of the oracle as a tensor.
function M.expected(name)
   local values = M.oracle[name]
   return torch.DoubleTensor(values):resize(torch.LongStorage(values.sizes))
end

--- Assert that two tensors have one size and differ by no more than `tolerance`.
function M.near(expected, got, tolerance, what)
   assert.same(expected:size():totable(), got:size():totable(), what)
   local apart = (expected:double() - got:double()):abs():max()
   assert(apart <= tolerance,
      ('%s: off by %g, allowed %g'):format(what or 'values', apart, tolerance))
end

--- f(name) with the name of a file that is removed afterwards.
function M.with_file(extension, f)
   local name = os.tmpname()
   local ok, message = pcall(f, name .. extension)
   os.remove(name)
   os.remove(name .. extension)
   assert(ok, message)
end

return M
