-- Operators that are read give what other runtimes give: test/onnx/cases.lua.
local torch = require 'torch'
local onnx = require 'onnx'
local case_of = require 'test.onnx.case'
local cases = require 'test.onnx.cases'
local types = require 'onnx.types'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'

local FLOAT = types.FLOAT
local UNSIGNED = { [types.UINT16] = true, [types.UINT32] = true }

describe('An operator that is read gives what others give:', function()
   for _, case in ipairs(cases) do
      it(case.name, function()
         shell.with_folder(function(folder)
            case_of.write(folder .. '/x.onnx', case)
            local net = onnx.import(folder .. '/x.onnx')
            net:evaluate()
            case_of.same(case, net:forward(case_of.tensor(case.x)))
            if require('onnx.operators')[case.operator] and case.x.kind == FLOAT
               and case.y.kind == FLOAT then
               case_of.write(folder .. '/x.onnx', case, true)
               case_of.same(case, onnx.import(folder .. '/x.onnx'):forward(torch.FloatTensor { 0 }))
            end
         end)
      end)
   end
end)

describe('An operator that was read is written again:', function()
   for _, case in ipairs(cases) do
      it(case.name, function()
         shell.with_folder(function(folder)
            case_of.write(folder .. '/x.onnx', case)
            local net, x = onnx.import(folder .. '/x.onnx'), case_of.tensor(case.x)
            net:evaluate()
            local function export()
               onnx.export(net, folder .. '/y.onnx', { input = x, opset = 20 })
            end
            if case.operator:find('.', 1, true) then
               raises("is an operator of onnxruntime's own domain, not of ONNX", export)
            elseif UNSIGNED[case.y.kind] and case.operator ~= 'QuantizeLinear' then
               raises('bits without a sign, which lie in wider ones with one here', export)
            elseif case.opset > 20 then
               raises(('this export has 20: give opset = %d'):format(case.opset), export)
            else
               export()
               local again = onnx.import(folder .. '/y.onnx')
               again:evaluate()
               case_of.same(case, again:forward(x))
            end
         end)
      end)
   end
end)
