--- ONNX: nets for other runtimes, and nets from them.
-- @module onnx
require 'torch'
require 'nn'
require 'nngraph'
local errors = require 'torch.errors'
errors.library()
local exporting = require 'onnx.export'

local M = {}
package.loaded.onnx = M

function M.export(net, path, options)
   if type(path) ~= 'string' then
      errors.raise(('onnx.export: the path is a %s, expected a string'):format(type(path)))
   end
   exporting.save(path, exporting.model(net, options))
end

return M
