--- Torch7's kernels, `x.THNN.Abs_updateOutput(x:cdata(), y:cdata())`: what layers written for it
-- call, with arguments in the order of its header THNN.h.
--
-- Every kernel serves every type on both backends, and takes tensors or their `cdata()`. The folder
-- has a file of kernels for each chapter of layers; they are read when the first one is asked for.
-- @module nn.thnn

local torch = require 'torch'
local types = require 'torch.types'

local M = {}

local CHAPTERS = {
   'transfer', 'criterion', 'linear', 'convolution', 'pooling', 'resampling', 'normalization',
   'recurrent',
}

--- Type's name -> its table of kernels.
M.tables = {}

local all

--- Read the kernels, and fill the tables of all types with them.
-- @return name -> function
function M.load()
   if not all then
      all = {}
      for _, chapter in ipairs(CHAPTERS) do
         for name, kernel in pairs(require('nn.thnn.' .. chapter)) do
            all[name] = kernel
         end
      end
      for _, list in pairs(M.tables) do
         M.fill(list)
      end
   end
   return all
end

-- A kernel that a script has put there stays.
function M.fill(list)
   setmetatable(list, nil)
   for name, kernel in pairs(all) do
      if list[name] == nil then
         list[name] = kernel
      end
   end
end

local lazy = {
   __index = function(list, name)
      M.load()
      return rawget(list, name)
   end,
}

--- Give the classes of floating tensors their field `THNN`.
-- @string[opt=''] prefix of the types' names: 'Cuda'
function M.install(prefix)
   prefix = prefix or ''
   for dtype, name in pairs(types.names) do
      local typename = ('torch.%s%sTensor'):format(prefix,
         prefix ~= '' and name == 'Float' and '' or name)
      if types.isFloating(dtype) and not M.tables[typename] then
         local list = setmetatable({}, lazy)
         M.tables[typename] = list
         torch.getmetatable(typename).THNN = list
         if all then
            M.fill(list)
         end
      end
   end
end

return M
