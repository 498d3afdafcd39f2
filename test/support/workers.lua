--- Scripts that run in several processes: what they print, and how they end.
local shell = require 'test.support.shell'

local M = {}

local th = os.getenv 'TH_EXECUTABLE'

--- Whether this build has MPI; the specs of several processes have nothing to run otherwise.
M.available = package.searchpath('libdistributed', package.cpath) ~= nil

-- What each script has: its rank, the number of ranks, assertions, and whether a call raises.
local HEAD = [[
torch.setdefaulttensortype 'torch.DoubleTensor'
local distributed = require 'distributed'
local rank, size = distributed.rank(), distributed.size()
local function same(x, wanted, what)
   wanted = torch.isTensor(wanted) and wanted or torch.Tensor(wanted)
   local got = x:double()
   assert(got:isSameSizeAs(wanted) and got:equal(wanted:double()),
      ('%s, rank %d: %s, wanted %s'):format(what or 'same', rank, tostring(got), tostring(wanted)))
end
local function raises(text, f, ...)
   local ok, message = pcall(f, ...)
   assert(not ok, 'no error; wanted ' .. text)
   assert(tostring(message):find(text, 1, true), tostring(message) .. '\nwanted ' .. text)
end
]]

--- For the head of scripts that train: data, a net, a Trainer of some settings.
M.trainer = [[
   local nn, train, optim = require 'nn', require 'torch.train', require 'optim'
   torch.manualSeed(7)
   local x = torch.randn(30, 4)
   local y = x:sum(2):gt(0):long():add(1):view(-1)
   local function net(f)
      torch.manualSeed(3)
      local made = nn.Sequential():add(nn.Linear(4, 8)):add(nn.Tanh()):add(nn.Linear(8, 2))
         :add(nn.LogSoftMax())
      return f and f(made) or made
   end
   local function trainer(settings)
      local all = { model = net(), criterion = nn.ClassNLLCriterion(), optimizer = 'adam',
         options = { learningRate = 0.05 }, data = { input = x, target = y }, epochs = 3,
         batchSize = 8, log = false, seed = 2, metrics = { 'accuracy' } }
      for name, value in pairs(settings) do
         all[name] = value
         if value == 'none' then all[name] = nil end
      end
      return train.Trainer(all)
   end
   local function near(a, b, limit, what)
      local error = (a - b):abs():max()
      assert(error <= limit, ('%s, rank %d: %g'):format(what or 'near', rank, error))
   end
   local function parameters(made)
      made:run()
      local p = made.state.parameters
      local all = distributed.allGather(p)
      for r = 1, size do near(all[r], p, 0, 'ranks differ') end
      return p
   end
]]

--- Run a script in n processes.
-- @int n
-- @string text
-- @string[opt] options of th
-- @string[opt] before what the shell does before, such as variables
-- @return what it printed (stderr as well), its status
function M.run(n, text, options, before)
   local path = os.tmpname()
   local file = assert(io.open(path, 'w'))
   file:write((HEAD:gsub('\n', ' ')), text)
   file:close()
   local output, status = shell.run(('%s env OMP_NUM_THREADS=1 %s --workers %d %s %s'):format(
      before or '', shell.quoted(th), n, options or '', path))
   os.remove(path)
   return output, status
end

--- Run a script whose assertions hold in each of n processes.
function M.passes(n, text, options, before)
   local output, status = M.run(n, text, options, before)
   if status ~= 0 then
      error(output, 2)
   end
   return output
end

--- Tests that share one run of n processes, which takes a second to start: each is a block of the
-- script, and fails with what the run has printed where the run did not come to its end.
-- @func it busted's
-- @int n
-- @string setup what is at the head of each block
-- @return function(name, text), in the place of `it`
function M.blocks(it, n, setup)
   local names, texts, ended, output = {}, {}, nil, nil
   local function run()
      local parts = {}
      for i, text in ipairs(texts) do
         parts[i] = ('do %s %s end distributed.barrier() if rank == 1 then print("ended %d") end')
            :format(setup:gsub('\n', ' '), text, i)
      end
      output, ended = M.run(n, table.concat(parts, '\n')), {}
      for i in output:gmatch 'ended (%d+)\n' do
         ended[tonumber(i)] = true
      end
   end
   return function(name, text)
      names[#names + 1], texts[#texts + 1] = name, text
      local own = #texts
      it(name, function()
         if not ended then
            run()
         end
         if not ended[own] then
            error(output, 0)
         end
      end)
   end
end

return M
