-- Nets with graphs within nodes, and with functions, with what onnxruntime gives
-- (test/onnx/tools/body_nets.py).
local torch = require 'torch'
local onnx = require 'onnx'
local gradients = require 'test.onnx.gradients'
local nets = require 'test.onnx.support'
local raises = require 'test.support.raises'
local safetensors = require 'safetensors'
local shell = require 'test.support.shell'
local types = require 'onnx.types'

local FOLDER = 'test/data/onnx/'

-- Inputs or outputs of a run: { x1, x2, ... }.
local function list_of(data, letter, run)
   local list = {}
   while data[('%s%d_%d'):format(letter, run, #list + 1)] do
      list[#list + 1] = data[('%s%d_%d'):format(letter, run, #list + 1)]
   end
   return list
end

local function forward(net, inputs)
   local y = net:forward(#inputs == 1 and inputs[1] or inputs)
   return torch.isTensor(y) and { y } or y
end

local function gives(net, data)
   local run = 1
   while data[('x%d_1'):format(run)] do
      local found, wanted = forward(net, list_of(data, 'x', run)), list_of(data, 'y', run)
      assert.equal(#wanted, #found)
      for i, y in ipairs(wanted) do
         assert.equal(y:type(), found[i]:type())
         assert.equal(y:nElement(), found[i]:nElement())
         assert.is_true((y - found[i]:viewAs(y)):double():abs():max() <= 1e-5)
         assert.is_true(y:dim() == 0 or y:isSameSizeAs(found[i]))
      end
      run = run + 1
   end
   assert.is_true(run > 1)
end

describe('Graphs within nodes:', function()
   for _, name in ipairs {
      'if_known', 'if', 'loop', 'while', 'loop_known', 'scan', 'functions', 'numbers', 'grows',
      'whole',
   } do
      it(name, function()
         local net = onnx.import(FOLDER .. name .. '.onnx')
         local data = safetensors.load(FOLDER .. name .. '.safetensors')
         gives(net, data)
         gives(torch.deserialize(torch.serialize(net)), data)
         net:clearState()
         gives(net:clone(), data)
      end)
   end

   it('have gradients', function()
      for name, wanted in pairs { ['if'] = 1, loop = 1, ['while'] = 1, scan = 3,
         functions = 1 } do
         local data = safetensors.load(FOLDER .. name .. '.safetensors')
         local net = onnx.import(FOLDER .. name .. '.onnx'):double()
         local run = 1
         while data[('x%d_1'):format(run)] do
            local inputs = list_of(data, 'x', run)
            for i = 1, wanted do
               inputs[i] = inputs[i]:double()
            end
            gradients.check(net, inputs)
            run = run + 1
         end
      end
   end)

   it('say what is wrong with them', function()
      local function graph(nodes, outputs, inputs)
         local list = { name = 'inner', node = nodes, output = {}, input = inputs or {} }
         for i, name in ipairs(outputs) do
            list.output[i] = nets.value(name, 2, 3)
         end
         return list
      end
      local function refused(text, node)
         shell.with_folder(function(folder)
            nets.store(folder .. '/x.onnx', nets.model { node })
            raises(("onnx.import: '%s/x.onnx': %s"):format(folder, text), onnx.import,
               folder .. '/x.onnx')
         end)
      end
      local function attribute(name, g)
         return { name = name, type = 5, g = g }
      end
      local relu = graph({ nets.node('Relu', { 'x' }, 'r') }, { 'r' })
      refused("node If 'if': it has no graph 'else_branch'",
         nets.node('If', { 'x' }, 'y', { attribute('then_branch', relu) }))
      refused('its graph has no outputs', nets.node('If', { 'x' }, 'y', {
         attribute('then_branch', relu), attribute('else_branch', { name = 'inner' }) }))
      refused("node If 'if': it has 1 outputs, and the graph within gives 2",
         nets.node('If', { 'x' }, 'y', { attribute('then_branch', relu),
            attribute('else_branch', graph({ nets.node('Relu', { 'x' }, 'r') }, { 'r', 'r' })) }))
      refused("node If 'if': a graph within it reads 'nobody', which no node before it gives",
         nets.node('If', { 'x' }, 'y', { attribute('then_branch', relu),
            attribute('else_branch', graph({ nets.node('Relu', { 'nobody' }, 'r') }, { 'r' })) }))
      refused("node Loop 'loop': it has 1 operands, and the graph within 0 inputs and 1 outputs; "
         .. 'with n states there are to be n + 2, as many, and n + 1 or more',
         nets.node('Loop', { 'x' }, 'y', { attribute('body', relu) }))
      refused("node Scan 'scan': its num_scan_inputs is 0, and there is no end without an input to "
         .. 'take apart', nets.node('Scan', { 'x' }, 'y', { attribute('body', relu) }))
      refused("node Loop 'loop': the graph within has two inputs 's'",
         nets.node('Loop', { '', '', 'x' }, 'y', { attribute('body', graph(
            { nets.node('Relu', { 's' }, 'r') }, { 'r', 'r' },
            { nets.value 'i', nets.value 's', nets.value('s', 2, 3) })) }))
      refused("node Relu 'relu': the attribute 'body' is a graph",
         nets.node('Relu', { 'x' }, 'y', { attribute('body', relu) }))
      refused("node If 'if': the attribute 'then_branch' is of another type",
         nets.node('If', { 'x' }, 'y', { { name = 'then_branch', type = 2, i = 1 } }))
   end)

   it('are not read of a Scan that takes batches apart', function()
      shell.with_folder(function(folder)
         nets.store(folder .. '/x.onnx', nets.model({ nets.node('Scan', { '', 'x' }, 'y', {
            { name = 'num_scan_inputs', type = 2, i = 1 }, { name = 'body', type = 5,
               g = { name = 'b', input = { nets.value('r', 3) }, output = { nets.value('r', 3) },
                  node = {} } } }) }, { opset_import = { { domain = '', version = 8 } } }))
         raises("node Scan 'scan': that of opset 8 takes batches apart, and those from 9 on are "
            .. 'read: convert the file', onnx.import, folder .. '/x.onnx')
      end)
   end)

   it('what only the branch reads that is not taken is not in the net', function()
      local function branch(name)
         return { name = 'inner', node = { nets.node('Neg', { name }, 'n' .. name) },
            output = { nets.value('n' .. name, 2, 3) } }
      end
      shell.with_folder(function(folder)
         nets.store(folder .. '/x.onnx', nets.model({ nets.node('Relu', { 'x' }, 'a'),
            nets.node('Tanh', { 'z' }, 'b'), nets.node('If', { 'on' }, 'y', {
               { name = 'then_branch', type = 5, g = branch 'a' },
               { name = 'else_branch', type = 5, g = branch 'b' } }) },
            { input = { nets.value('x', 2, 3), nets.value('z', 2, 3) }, initializer = {
               types.encode('on', torch.ByteTensor { 1 }, {}) } }))
         local net = onnx.import(folder .. '/x.onnx')
         local x = torch.randn(2, 3):float()
         assert.same((-torch.cmax(x, 0)):totable(), net:forward({ x, x }):totable())
         assert.equal(0, #net:findModules 'nn.Tanh')
      end)
   end)

   it('functions call others, but not themselves, and are no more than a file may hold', function()
      local function refused(text, functions)
         shell.with_folder(function(folder)
            nets.store(folder .. '/x.onnx', nets.model({ nets.node('f1', { 'x' }, 'y', {}, 'own') },
               { functions = functions, opset_import = { { domain = '', version = 17 },
                  { domain = 'own', version = 1 } } }))
            raises(("onnx.import: '%s/x.onnx': %s"):format(folder, text), onnx.import,
               folder .. '/x.onnx')
         end)
      end
      local function definition(name, nodes)
         return { domain = 'own', name = name, input = { 'a' }, output = { 'b' }, node = nodes,
            opset_import = { { domain = '', version = 17 } } }
      end
      refused('the function f1 calls itself', {
         definition('f1', { nets.node('f2', { 'a' }, 'b', {}, 'own') }),
         definition('f2', { nets.node('f1', { 'a' }, 'b', {}, 'own') }) })
      refused("the value that its functions give their attribute 'slope' is not read: write it",
         { definition('f1', { nets.node('LeakyRelu', { 'a' }, 'b', { { name = 'alpha', type = 1,
            ref_attr_name = 'slope' } }) }) })
      shell.with_folder(function(folder) -- one that may be left out is its operator's then
         local alpha = { { name = 'alpha', type = 1, ref_attr_name = 'slope' } }
         local f = definition('f1', { nets.node('LeakyRelu', { 'a' }, 'b', alpha) })
         f.attribute = { 'slope' }
         nets.store(folder .. '/x.onnx', nets.model({ nets.node('f1', { 'x' }, 'y', {}, 'own') },
            { functions = { f }, opset_import = { { domain = '', version = 17 } } }))
         local y = onnx.import(folder .. '/x.onnx'):forward(torch.FloatTensor(2, 3):fill(-1))
         assert.is_true((y + 0.01):abs():max() < 1e-7)
      end)
      local doubling = {}
      for k = 1, 30 do
         local next_one = 'f' .. k + 1
         doubling[k] = definition('f' .. k, { nets.node(next_one, { 'a' }, 'c', {}, 'own'),
            nets.node(next_one, { 'c' }, 'b', {}, 'own') })
      end
      doubling[31] = definition('f31', { nets.node('Relu', { 'a' }, 'b') })
      refused('constants of this file would make more elements than a file of its size may',
         doubling)
   end)

   it('of known truth may follow each other, however many, and pass values on', function()
      local nodes = {}
      for k = 1, 150 do
         local function graph(name)
            return { name = 'g', output = { nets.value(name, 2, 3) } }
         end
         nodes[k] = nets.node('If', { 'on' }, k == 150 and 'z' or 'h' .. k, {
            { name = 'then_branch', type = 5, g = graph(k == 1 and 'x' or 'h' .. k - 1) },
            { name = 'else_branch', type = 5, g = graph 'x' } })
      end
      nodes[151] = nets.node('Neg', { 'z' }, 'y')
      shell.with_folder(function(folder)
         nets.store(folder .. '/x.onnx', nets.model(nodes, { initializer = { { name = 'on',
            dims = {}, data_type = 9, int32_data = { 1 } } } }))
         local net = onnx.import(folder .. '/x.onnx')
         assert.equal(-2, net:forward(torch.FloatTensor(2, 3):fill(2)):max())
      end)
   end)

   it('a state may begin as a number and get dimensions', function()
      local body = { name = 'b', input = { { name = 'i' }, { name = 'c' }, { name = 's' } },
         output = { { name = 'c2' }, { name = 's2' } }, node = {
            nets.node('Identity', { 'c' }, 'c2'), nets.node('Unsqueeze', { 's', 'front' }, 'u'),
            nets.node('Mul', { 'u', 'two' }, 's2') } }
      local text = nets.model({
         nets.node('ReduceSum', { 'x' }, 'n', { { name = 'keepdims', type = 2, i = 0 } }),
         nets.node('Loop', { 'rounds', '', 'n' }, 'y', { { name = 'body', type = 5, g = body } }) },
         { input = { nets.value('x', 2, 3), { name = 'rounds', type = { tensor_type = {
            elem_type = 7, shape = {} } } } }, initializer = {
            types.encode('front', torch.LongTensor { 0 }),
            types.encode('two', torch.FloatTensor { 2 }, {}) } })
      shell.with_folder(function(folder)
         nets.store(folder .. '/x.onnx', text)
         local net = onnx.import(folder .. '/x.onnx')
         local x = torch.FloatTensor(2, 3):fill(1)
         for rounds, wanted in pairs { { 1 }, { 1, 1 }, { 1, 1, 1 } } do
            local y = net:forward { x, torch.LongTensor { rounds } }
            assert.same({ wanted, 6 * 2 ^ rounds }, { y:size():totable(), y:max() })
         end
         gradients.check(net:double(), { torch.randn(2, 3), torch.LongTensor { 3 } })
         local y = net:clone():clearState():float():forward { x, torch.LongTensor { 2 } }
         assert.same({ 1, 1 }, y:size():totable())
      end)
   end)

   it('that were not run once put nothing together', function()
      local data = safetensors.load(FOLDER .. 'loop.safetensors')
      local net = onnx.import(FOLDER .. 'loop.onnx')
      raises('onnx.Loop: it was not run once, and what it puts together has no elements',
         net.forward, net, { data.x1_1, torch.LongTensor { 0 } })
   end)
end)
