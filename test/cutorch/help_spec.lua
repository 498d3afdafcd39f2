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
local docstrings = require 'test.support.docstrings'

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

describe('docs/make_reference.lua', function()
   it('names nothing that is not there', function()
      local directory = os.tmpname()
      os.remove(directory)
      local th = os.getenv 'TH_EXECUTABLE'
      local pipe = io.popen(("'%s' docs/make_reference.lua '%s' 2>&1"):format(th, directory))
      assert.equals('', pipe:read '*a')
      pipe:close()
      local pages = io.popen(("cat '%s'/cu*.md"):format(directory))
      local text = pages:read '*a'
      pages:close()
      os.execute(("rm -r '%s'"):format(directory))
      contains(text, 'cutorch.Event:waitOn()', 'cutorch.getStream()', 't:copyAsync(x)',
         'cutorch.createCudaHostTensor', 'nn.DataParallelTable(dimension')
      assert.same({}, docstrings.unreachable(text, 'torch.CudaTensor'))
      assert.is_nil(text:match '`cunn%.')
      assert.is_nil(text:match 'cutorch%.install')
   end)
end)
