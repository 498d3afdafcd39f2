--- NumPy's files as samples.
-- @module torch.dataset.reader.arrays
local torch = require 'torch'
local errors = require 'torch.errors'
local options = require 'torch.options'

local M = {}

--- NumPy's files as samples: a field for each array, a sample for each row. With `map` the elements
-- stay in the files and are read as they are used, so that the arrays may be larger than memory.
-- @tparam table options field -> path of an .npy file, such as input = 'x.npy', target = 'y.npy';
-- or path = an .npz file, whose arrays are the fields; map (true)
-- @return dataset.Tensors
-- @raise what npy.load raises; "dataset.Tensors: input has 10 samples, target has 9"
-- @usage dataset.Npy{input = 'x.npy', target = 'y.npy'}
function M.Npy(given)
   if type(given) ~= 'table' then
      errors.raise(('dataset.Npy: wanted a table such as {input = %q}, got %s'):format('x.npy',
         options.describe(given)))
   end
   local npy = require 'npy'
   local map, fields = given.map ~= false, {}
   if given.path then
      fields = npy.load(given.path, { map = map })
      if torch.isTensor(fields) then
         errors.raise(("dataset.Npy: '%s' is one array; give it a field's name: {input = '%s'}")
            :format(given.path, given.path))
      end
   end
   for field, path in pairs(given) do
      if field ~= 'map' and field ~= 'path' then
         fields[field] = npy.load(path, { map = map })
      end
   end
   return require('torch.dataset.module').Tensors(fields)
end

return M
