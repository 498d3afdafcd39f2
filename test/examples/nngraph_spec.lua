local paths = require 'paths'

describe('examples/nngraph', function()
   it('learns sums and products, and writes its graph', function()
      local folder = os.tmpname()
      os.remove(folder)
      paths.mkdir(folder)
      local pipe = io.popen(("cd '%s' && '%s' '%s/examples/nngraph/train.lua' 2>&1"):format(folder,
         os.getenv 'TH_EXECUTABLE', paths.cwd()))
      local text = pipe:read '*a'
      pipe:close()
      local file = io.open(folder .. '/net.dot')
      local graph = file and file:read '*a' or ''
      if file then
         file:close()
      end
      paths.rmall(folder, 'yes')

      assert.is_true(tonumber(text:match 'step 2000  loss (%d%.%d+)') < 0.01, text)
      local equations = 0
      for a, operation, b, c in text:gmatch '(%S+) ([+*]) +(%S+) = +(%S+)' do
         a, b, c = tonumber(a), tonumber(b), tonumber(c)
         assert.near(operation == '+' and a + b or a * b, c, 0.1)
         equations = equations + 1
      end
      assert.equal(6, equations)
      assert.matches('product %(%d+%)', graph)
      assert.matches('hidden %(%d+%)', graph)
   end)
end)
