--- ONNX: nets for other runtimes, and nets from them.
-- @module onnx
require 'torch'
require 'nn'
require 'nngraph'
local errors = require 'torch.errors'
errors.library()

local M = {}
package.loaded.onnx = M
local exporting = require 'onnx.export'
require 'onnx.Operator'
local importing = require 'onnx.import'

function M.export(net, path, options)
   if type(path) ~= 'string' then
      errors.raise(('onnx.export: the path is a %s, expected a string'):format(type(path)))
   end
   exporting.save(path, exporting.model(net, options))
end

function M.import(path)
   if type(path) ~= 'string' then
      errors.raise(('onnx.import: the path is a %s, expected a string'):format(type(path)))
   end
   return importing.load(path)
end

return M
