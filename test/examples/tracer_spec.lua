local th = os.getenv 'TH_EXECUTABLE'

local function run()
   local pipe = io.popen(th .. ' examples/tracer/trace.lua 2>&1')
   local text = pipe:read '*a'
   pipe:close()
   return text
end

describe('examples/tracer', function()
   it('prints the operations of a step in order, with what they write', function()
      local names = {}
      for name in run():gmatch ' us +([%w_]+)%(' do
         names[name] = #names + 1
         names[#names + 1] = name
      end
      for _, name in ipairs { 'linear', 'tanh', 'log_softmax', 'nll_loss', 'nll_loss_backward',
         'log_softmax_backward', 'tanh_backward' } do
         assert.truthy(names[name], name .. ' is missing in\n' .. table.concat(names, ' '))
      end
      assert.truthy(names.linear < names.nll_loss)
      assert.truthy(names.nll_loss < names.nll_loss_backward)
      assert.truthy(names.nll_loss_backward < names.tanh_backward)
   end)
end)
