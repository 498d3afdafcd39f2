-- help() for the CUDA packages.
local cuda = require 'test.support.cuda'
if not cuda.available then
   return
end

local nn = require 'nn'
local help = require 'torch.help'
local cutorch = require 'cutorch'
require 'cunn'
local cudnn = require 'cudnn'
local docstrings = require 'test.support.documents.docstrings'

local function contains(text, ...)
   for _, part in ipairs { ... } do
      assert.is_truthy(text:find(part, 1, true), ('no "%s" in:\n%s'):format(part, text))
   end
end

describe('help', function()
   it('has a docstring for each public function and class of the packages of CUDA', function()
      assert.same({}, docstrings.undocumented { 'torch', 'nn', 'cutorch', 'cudnn' })
   end)

   it('shows classes of other packages, and those of several files', function()
      local text = help.text(nn.DataParallelTable)
      contains(text, 'nn.DataParallelTable', 'dimension: the one that counts samples',
         ':add(module, gpus, [parts])', ':syncParameters()')
      assert.equals(text, help.text 'nn.DataParallelTable')
      contains(help.text 'nn.DataParallelTable:add', 'into how many a batch is cut')
      contains(help.text(cutorch.Event), 'cutorch.Event', 'a stream', ':elapsed(later)')
      assert.equals(help.text(cutorch.Event), help.text(cutorch.Event()))
      contains(help.text(cudnn.ReLU), 'cudnn.ReLU: a nn.ReLU', 'max(')
      contains(help.text(cudnn.Tanh), 'inplace')
      contains(help.text(cutorch.createCudaHostTensor), 'page-locked memory')
   end)
end)
