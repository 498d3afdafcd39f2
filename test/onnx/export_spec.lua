-- What onnx.export takes and refuses, and the graphs that it writes.
local ffi = require 'ffi'
local torch = require 'torch'
local nn = require 'nn'
local onnx = require 'onnx'
local protobuf = require 'onnx.protobuf'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'

-- The model that is written, as tables, and its path.
local function written(net, options, f)
   shell.with_folder(function(folder)
      local path = folder .. '/net.onnx'
      onnx.export(net, path, options)
      local text = shell.read(path)
      f(protobuf.decode(ffi.cast('const char *', text), #text), path)
   end)
end

local function operators(model)
   local list = {}
   for i, node in ipairs(model.graph.node) do
      list[i] = node.op_type
   end
   return table.concat(list, ' ')
end

describe('onnx.export', function()
   it('writes names, metadata and versions', function()
      local net = nn.Sequential():add(nn.Linear(3, 2)):add(nn.Tanh())
      written(net, { input = { 4, 3 }, inputNames = { 'x' }, outputNames = { 'y' }, opset = 15,
         metadata = { b = 2, a = 'one' }, name = 'little' }, function(model, path)
         assert.equal('Gemm Tanh Identity', operators(model))
         assert.equal('little', model.graph.name)
         assert.same({ { version = 15, domain = '' } }, model.opset_import)
         assert.same({ { key = 'a', value = 'one' }, { key = 'b', value = '2' } },
            model.metadata_props)
         local _, about = onnx.import(path)
         assert.same({ inputs = { 'x' }, outputs = { 'y' }, opset = 15, producer = 'LuaTorch',
            metadata = { a = 'one', b = '2' } }, about)
      end)
   end)

   it('leaves the batch open when it is asked to', function()
      local net = nn.Sequential():add(nn.View(-1):setNumInputDims(2)):add(nn.Linear(6, 2))
      for _, dynamic in ipairs { true, false } do
         written(net, { input = { 4, 2, 3 }, dynamicBatch = dynamic }, function(model, path)
            local first = model.graph.input[1].type.tensor_type.shape.dim[1]
            assert.same(dynamic and { dim_param = 'batch' } or { dim_value = 4 }, first)
            local again = onnx.import(path)
            local x = torch.randn(dynamic and 7 or 4, 2, 3):float()
            local off = (again:forward(x) - net:clone():float():forward(x)):abs():max()
            assert.is_true(off < 1e-6)
         end)
      end
   end)

   it('writes other batches of nets that are large', function()
      torch.manualSeed(1)
      local lstm = nn.LSTM(5, 4, 2, true, true, 0, true)
      local encoder = nn.TransformerEncoder(2, 8, 2, 16)
      for _, case in ipairs { { lstm, 5 }, { encoder, 8 } } do
         local net = case[1]:float()
         written(net, { input = { 2, 3, case[2] }, dynamicBatch = true }, function(_, path)
            local x = torch.randn(5, 3, case[2]):float()
            net:evaluate()
            local off = (onnx.import(path):forward(x) - net:forward(x)):abs():max()
            assert.is_true(off < 1e-5, tostring(off))
         end)
      end
   end)

   it('leaves the net as it was', function()
      local net = nn.Sequential():add(nn.Linear(3, 2)):add(nn.Dropout())
      net:training()
      written(net, { input = { 4, 3 } }, function() end)
      assert.equal('torch.DoubleTensor', net:type())
      assert.is_true(net:get(2).train)
   end)

   it('writes classes with an exporter of their own', function()
      local Twice = torch.class('spec.OnnxTwice', 'nn.Module', {})
      function Twice:updateOutput(x)
         self.output = x * 2
         return self.output
      end
      require('onnx.layers')['spec.OnnxTwice'] = function(g, _, x)
         return g:op('Add', { x, x })
      end
      local net = nn.Sequential():add(torch.factory 'spec.OnnxTwice'())
      rawset(net:get(1), 'output', torch.Tensor())
      nn.Module.__init(net:get(1))
      written(net, { input = { 2 } }, function(model, path)
         assert.equal('Add Identity', operators(model))
         assert.same({ 6, 8 }, onnx.import(path):forward(torch.FloatTensor { 3, 4 }):totable())
      end)
   end)

   it('says where a layer is that it cannot write', function()
      local inner = nn.Sequential():add(nn.Linear(3,
         4)):add(nn.Lambda(function(x) return x * 2 end))
      local net = nn.Sequential():add(nn.Identity()):add(inner)
      raises('onnx.export: net.2.2: nn.Lambda cannot be exported: a Lua function', onnx.export, net,
         '/dev/null', { input = { 2, 3 } })
      local class = torch.class('spec.OnnxUnknown', 'nn.Module', {})
      function class.updateOutput(_, x)
         return x
      end
      local module = torch.factory 'spec.OnnxUnknown'()
      nn.Module.__init(module)
      module.name = 'odd'
      raises('onnx.export: net.odd: spec.OnnxUnknown cannot be exported: there is no exporter for '
         .. 'this class', onnx.export, nn.Sequential():add(module), '/dev/null', { input = { 2 } })
      raises('onnx.export: net.2: nn.Linear: input is 2x4, expected N x 3', onnx.export,
         nn.Sequential():add(nn.Tanh()):add(nn.Linear(3, 2)), '/dev/null', { input = { 2, 4 } })
      raises('net.1: nn.Sum cannot be exported: it reduces the batch', onnx.export,
         nn.Sequential():add(nn.Sum(1)), '/dev/null', { input = { 2, 3 }, dynamicBatch = true })
   end)

   it('gives no name twice, whatever names the script has', function()
      local both = nn.ConcatTable():add(nn.Tanh()):add(nn.ReLU())
      local function refused(text, net, options)
         raises('onnx.export: ' .. text, onnx.export, net, '/dev/null', options)
      end
      local x = torch.randn(1, 2)
      refused("outputNames: 'y' is the name of two inputs or outputs", both,
         { input = x, outputNames = { 'y', 'y' } })
      refused("outputNames: 'input' is the name of two inputs or outputs", nn.Tanh(),
         { input = x, outputNames = { 'input' } })
      refused("outputNames: 'output' is the name of two inputs or outputs", nn.Tanh(),
         { input = x, inputNames = { 'output' } })
      refused("inputNames: 'a' is the name of two inputs or outputs", nn.CAddTable(),
         { input = { x, x:clone() }, inputNames = { 'a', 'a' } })
      refused("inputNames: entry 1 is no name such as 'x'", nn.Tanh(),
         { input = x, inputNames = { '' } })
      refused("outputNames: entry 1 is no name such as 'x'", nn.Tanh(),
         { input = x, outputNames = { {} } })
      -- Names that nodes and constants would have.
      local net = nn.Sequential():add(nn.Tanh()):add(nn.Mul()):add(nn.ReLU()):add(nn.Max(2))
         :add(nn.AddConstant(2))
      local function names_of(model)
         local list = {}
         for _, entry in ipairs(model.graph.initializer or {}) do
            list[#list + 1] = entry.name
         end
         for _, node in ipairs(model.graph.node) do
            for _, name in ipairs(node.output) do
               list[#list + 1] = name
            end
         end
         return list
      end
      local own
      written(net, { input = { 4, 3 } }, function(model) own = names_of(model) end)
      assert.is_true(#own > 6)
      local input = torch.randn(4, 3):float()
      local expected = net:clone():float():forward(input)
      for i, name in ipairs(own) do
         for _, options in ipairs { { inputNames = { name } }, { outputNames = { name } } } do
            if name ~= 'output' then
               options.input = input
               written(net, options, function(model, path)
                  local seen = { [options.inputNames and name or 'input'] = true }
                  for _, each in ipairs(names_of(model)) do
                     assert.is_nil(seen[each], ('%s of %d'):format(each, i))
                     seen[each] = true
                  end
                  assert.is_true((onnx.import(path):forward(input) - expected):abs():max() < 1e-6)
               end)
            end
         end
      end
   end)

   it('refuses arguments that it does not take', function()
      local net = nn.Tanh()
      raises('onnx.export: the third argument is missing', onnx.export, net, 'x.onnx')
      raises('onnx.export: there is no option dynamicBach; near: dynamicBatch', onnx.export,
         net, 'x.onnx', { input = { 2 }, dynamicBach = true })
      raises('onnx.export: input is missing', onnx.export, net, 'x.onnx', {})
      raises('onnx.export: opset is 40, expected a number from 13 to 20', onnx.export, net,
         'x.onnx', { input = { 2 }, opset = 40 })
      raises('onnx.export: outputNames is a table of 2, there are 1 outputs', onnx.export, net,
         'x.onnx', { input = { 2 }, outputNames = { 'a', 'b' } })
      raises('onnx.export: the first argument is a number', onnx.export, 3, 'x.onnx',
         { input = { 2 } })
      raises('onnx.export: the path is a nil', onnx.export, net, nil, { input = { 2 } })
      raises('onnx.export: the path is a torch.DoubleTensor', onnx.export, net,
         torch.ones(2), 'net.onnx')
      raises("onnx.export: cannot write /no/such/folder/x.onnx.part", onnx.export, net,
         '/no/such/folder/x.onnx', { input = { 2 } })
   end)
end)
