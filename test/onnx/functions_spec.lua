-- Functions of Variables: what was exported and read again gives what the function gives.
local torch = require 'torch'
local nn = require 'nn'
local onnx = require 'onnx'
local nets = require 'test.onnx.support'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'

local function check(f, input, options)
   options = options or {}
   local other = options.other
   shell.with_folder(function(folder)
      local path = folder .. '/f.onnx'
      onnx.export(f, path, { input = input, dynamicBatch = other ~= nil, opset = options.opset })
      local net, x = onnx.import(path), other or input
      local inputs = nets.flat(nets.float(x))
      local found = nets.flat({ net:forward(#inputs == 1 and inputs[1] or inputs) })
      local wanted = nets.flat { f(x) }
      assert.equal(#wanted, #found)
      for i, y in ipairs(wanted) do
         assert.same(y:size():totable(), found[i]:size():totable())
         assert.is_true((found[i]:double() - y:double()):abs():max() < 1e-5)
      end
   end)
end

local W = torch.linspace(-1, 1, 24):view(6, 4)

local functions = {
   ['products and element-wise functions'] = function(x)
      local h = torch.tanh(x * W:t())
      return torch.cmul(h, h):sum(2) / 3 - torch.exp(-h):mean(2)
   end,
   ['comparisons and masks'] = function(x)
      return torch.cmul(torch.gt(x, 0.1):double(), x) + torch.lt(x, torch.cmul(x, x)):double()
   end,
   ['maxima and their positions'] = function(x)
      local values, at = x:max(2)
      return { values, at }
   end,
   ['views and joins'] = function(x)
      local a, b = x:narrow(2, 1, 2), x:select(2, 4)
      return torch.cat({ a, b:contiguous():view(-1, 1), x:t():contiguous():t() }, 2)
   end,
   ['what is written in place'] = function(x)
      local y = torch.zeros(x:size())
      y:copy(x)
      y:mul(2):add(1)
      return torch.sqrt(torch.abs(y)) + torch.pow(y, 2) + torch.cmax(y, 0.5) + torch.clamp(y, -1, 1)
   end,
   ['addmm, softmax, norms'] = function(x)
      local b = torch.range(1, 6):view(1, 6):expand(x:size(1), 6)
      local y = torch.addmm(b, x, W:t())
      return torch.cdiv(y, y:norm(2, 2):expandAs(y))
   end,
}

describe('onnx.export of a function:', function()
   before_each(function()
      torch.manualSeed(1)
   end)

   for name, f in pairs(functions) do
      it(name, function()
         check(f, torch.randn(3, 4))
         check(f, torch.randn(3, 4), { opset = 13 })
      end)
   end

   it('of several inputs, of another batch', function()
      check(function(x) return torch.bmm(x[1], x[2]) + 1 end,
         { torch.randn(2, 3, 4), torch.randn(2, 4, 5) })
      for _, name in ipairs { 'products and element-wise functions', 'comparisons and masks',
         'views and joins', 'addmm, softmax, norms' } do
         check(functions[name], torch.randn(3, 4), { other = torch.randn(5, 4) })
      end
      local row = torch.randn(4)
      for _, f in ipairs {
         function(x) return torch.cmul(x, row:view(1, 4):expandAs(x)) end,
         function(x) return x - x:mean(2):expandAs(x) end,
         function(x) return torch.cmul(x:narrow(2, 1, 1):expandAs(x), x) end,
      } do
         check(f, torch.randn(3, 4), { other = torch.randn(5, 4) })
         check(f, torch.randn(1, 4), { other = torch.randn(5, 4) })
      end
      check(function(x) return torch.cat({ x, row:view(1, 4):expandAs(x) }, 2) end,
         torch.randn(3, 4), { other = torch.randn(5, 4) })
   end)

   it('with layers in it', function()
      local net = nn.Sequential():add(nn.SpatialConvolution(2, 3, 3, 3, 1, 1, 1, 1)):add(nn.ReLU())
         :add(nn.SpatialMaxPooling(2, 2)):add(nn.SpatialAveragePooling(2, 2, 1, 1))
         :add(nn.View(-1):setNumInputDims(3)):add(nn.Linear(12, 5))
      check(function(x) return torch.tanh(net:forward(x)) end, torch.randn(2, 2, 6, 6),
         { other = torch.randn(3, 2, 6, 6) })
   end)

   it('keeps constants as they were, and what the script has', function()
      local c = torch.ones(4)
      local function f(x)
         local y = x + c:view(1, 4):expandAs(x)
         c:add(1)
         return y + c:view(1, 4):expandAs(x)
      end
      shell.with_folder(function(folder)
         onnx.export(f, folder .. '/f.onnx', { input = torch.zeros(2, 4) })
         assert.same({ { 3, 3, 3, 3 } }, onnx.import(folder .. '/f.onnx')
            :forward(torch.FloatTensor(2, 4):zero()):narrow(1, 1, 1):totable())
      end)
      assert.is_true(jit.status())
   end)

   -- Operators of ONNX take operands of one type.
   it('of integers and of masks, with numbers', function()
      local long = torch.LongTensor { { 1, -2, 3 }, { 4, 5, -6 } }
      local real = torch.FloatTensor { { 1, -2, 3 }, { 4, 5, -6 } }
      for _, f in ipairs {
         function(x) return x + 1 end, function(x) return x * 3 - x end,
         function(x) return torch.add(x, 2, x) end, function(x) return torch.cmax(x, 2) end,
         function(x) return torch.addcmul(x, 3, x, x) end,
         function(x) return torch.eq(x, 3) end, function(x) return torch.gt(x, 0) * 2 end,
         function(x) return torch.gt(x, 0) + torch.lt(x, 4) end,
         function(x) return torch.cmul(torch.gt(x, 0), torch.lt(x, 4)) end,
         function(x) return torch.gt(x, 0):sum(2) end,
      } do
         for _, x in ipairs { long, real } do
            check(f, x)
            shell.with_folder(function(folder)
               onnx.export(f, folder .. '/f.onnx', { input = x })
               assert.equal(f(x):type(), onnx.import(folder .. '/f.onnx'):forward(x):type())
               assert.is_nil(nets.mixed(folder .. '/f.onnx'))
            end)
         end
      end
      raises('a torch.LongTensor and the number 0.5 come together: convert the tensor', onnx.export,
         function(x) return torch.cmax(x, 0.5) end, '/dev/null', { input = long })
   end)

   it('refuses what it cannot write', function()
      local function refused(text, f)
         raises('onnx.export: the function cannot be exported: ' .. text, onnx.export, f,
            '/dev/null', { input = torch.randn(2, 3) })
      end
      refused('sum_all gives a number', function(x) return x / x:sum() end)
      refused('there is no exporter for the operation sort', function(x) return (x:sort(2)) end)
      raises('no such thing', onnx.export, function() error 'no such thing' end, '/dev/null',
         { input = { 2, 3 } })
      raises('the function gave a number', onnx.export, function() return 3 end, '/dev/null',
         { input = { 2, 3 } })
   end)
end)
