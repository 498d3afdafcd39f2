local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local paths = require 'paths'
local environment = require 'test.support.environment'
local pages = require 'test.support.documents.pages'
local read = require('test.support.shell').read

local function named(folder)
   local list = {}
   for name in paths.files(folder) do
      if name:match '%.md$' then
         list[#list + 1] = folder .. '/' .. name
      end
   end
   table.sort(list)
   return list
end

describe('pages of docs', function()
   setup(environment.ownCache) -- for what torch.fuse compiles
   teardown(environment.withoutOwnCache)

   -- Blocks that are not run by anybody; each says why.
   local unrun = {
      ['docs/guides/embedding.md'] = 1, ['docs/guides/gpu.md'] = 1, ['docs/guides/onnx.md'] = 1,
      ['docs/guides/performance.md'] = 1, ['docs/guides/writing_an_operation.md'] = 1,
   }
   local ran, compared = 0, 0

   for _, folder in ipairs { 'docs', 'docs/guides' } do
      for _, page in ipairs(named(folder)) do
         it(page .. ' prints and gives what it shows', function()
            local wrong, left, counts = pages.judge(paths.concat(paths.cwd(), page))
            assert.same({}, wrong)
            local without = 0
            for _, line in ipairs(left) do
               without = without + (line:match 'left out: not run' and 1 or 0)
               local package, count = line:match 'left out: needs (%S+) (%d+)$'
               if package then -- and that is so
                  local loaded, it = pcall(require, package)
                  assert(not loaded or it.getDeviceCount() < tonumber(count), line)
               end
            end
            assert.equal(unrun[page] or 0, without)
            ran, compared = ran + counts.ran, compared + counts.compared
         end)
      end
   end

   it('have blocks that run, in all', function()
      assert.is_true(ran > 60)
      assert.is_true(compared > 120)
   end)

   it('that are wrong are found', function()
      local name = os.tmpname()
      local file = io.open(name, 'w')
      file:write '```lua\nprint(1)\nx = 2\n```\n```output\n2\n```\n```lua\nx --> 3\n```\n'
      file:write '```lua\nlocal =\n```\n```lua\nx --> 2\n```\n```lua needs no.such\nx --> 2\n```\n'
      file:close()
      local wrong, left, counts = pages.judge(name)
      os.remove(name)
      assert.equal(3, #wrong)
      assert.matches(':1: prints\n1\nthe page shows\n2$', wrong[1])
      assert.matches('got 2, the example says 3', wrong[2])
      assert.matches(':11: failed', wrong[3])
      assert.same({ name .. ':17: left out: needs no.such 1' }, left)
      assert.same({ ran = 2, compared = 2 }, counts)
   end)

   it('have a table of equivalents whose right side runs', function()
      local folder = os.tmpname()
      os.remove(folder)
      paths.mkdir(folder)
      local function fixture()
         local net = nn.Sequential():add(nn.Linear(4, 3))
         local parameters, gradients = net:getParameters()
         local x = torch.randn(3, 4)
         local dataset = require 'torch.dataset'
         local labels = torch.LongTensor { 1, 2, 3 }
         local data = dataset.Tensors { input = x, target = labels }
         local npy = require 'npy'
         npy.save(paths.concat(folder, 'x.npy'), x)
         return setmetatable({
            x = x, y = torch.randn(3, 4), v = torch.randn(4), p = torch.ones(2):requiresGrad(),
            dataset = dataset, labels = labels, data = data,
            loader = dataset.Loader { dataset = data, batchSize = 3 },
            npy = { load = function(name) return npy.load(paths.concat(folder, name)) end },
            a = torch.eye(3), b = torch.ones(3, 1),
            net = net, parameters = parameters, gradients = gradients, config = {},
            train = require 'torch.train', distributed = require 'distributed',
            criterion = nn.MSECriterion(), t = torch.randn(3, 3), nn = nn, optim = optim,
            feval = function() return 0, gradients end, print = function() end,
            torch = setmetatable({
               setdefaulttensortype = function(name) assert(torch.getmetatable(name)) end,
               save = function(file, what) torch.save(paths.concat(folder, file), what) end,
               load = function(file) return torch.load(paths.concat(folder, file)) end,
            }, { __index = torch }),
         }, { __index = _G })
      end
      local rows = 0
      for row in read('docs/from_pytorch.md'):gmatch '\n(|[^\n]*)' do
         local right = row:match '^| .-[^%-] | (`.*) |$'
         local globals = fixture()
         for code in (right or ''):gmatch '`([^`]+)`' do
            local chunk = loadstring('return ' .. code) or assert(loadstring(code))
            setfenv(chunk, globals)()
            rows = rows + 1
         end
      end
      paths.rmall(folder, 'yes')
      assert.is_true(rows > 160, rows)
   end)

   it('have a table of equivalents that shows PyTorch\'s name where it is there', function()
      local methods, known = torch.getmetatable 'torch.DoubleTensor', 0
      for left, right in read('docs/from_pytorch.md'):gmatch '\n| (`[^\n]-) | (`[^\n]*) |' do
         for code in left:gmatch '`([^`]+)`' do
            local owner, name, call = code:match '^(%a+)%.([%w_]+)(%(?)'
            local method = owner == 'x' and call == '(' and methods[name]
            local f = owner == 'torch' and call == '(' and type(torch[name]) == 'function'
            if method or f then
               known = known + 1
               assert(right:find('torch.' .. name, 1, true) or right:find(':' .. name, 1, true),
                  ('%s is there, the page says %s'):format(code, right))
            end
         end
      end
      assert.is_true(known > 40, known)
   end)
end)
