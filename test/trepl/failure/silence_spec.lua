-- Right lines of Torch7, each beside an error that has nothing to do with it: nothing is proposed.
local nn = require 'nn'
local compile = require('trepl.compile').compile
local failure = require 'trepl.failure'
local source = require 'trepl.failure.source'

local BEFORE = [[
local x, m, net = torch.randn(3), nn.Linear(3, 2), nn.Sequential():add(nn.Linear(3, 2))
local opt = { batch = 3, layers = { 4, 5 }, name = 'run', dropout = 0.5 }
local state, logger, words = { x = 1 }, { lines = {} }, { 'a', 'b' }
local parent, self = torch.getmetatable 'nn.Linear', m
]]

-- Not by trepl.call, which keeps the package that it reads first for all spec files.
local function traced(chunk)
   local ok, err = xpcall(chunk, function(message)
      return failure.describe(message, traced)
   end)
   return ok, err
end

local function shown(line)
   local text = BEFORE .. line
   local chunk = assert(compile(text))
   source.remember(chunk, text)
   local ok, err = traced(chunk)
   assert.is_false(ok, line)
   return err
end

local function hint(line)
   return shown(line):match '\n  (%a[^\n]*)\n  %d+ |'
end

-- Errors that nobody has advice for: of the script, of Lua in the line, of a library.
local errors = {
   "error 'the disk is full'", 'local n = 1 + {}', "torch.load '/nowhere/f.t7'",
   'nn.Linear(3, 2):forward(torch.ones(5))', "error 'bn: got 3 planes'",
}

-- What is right.
local idioms = {
   'local y = x.new(3):zero()', 'local y = x.new()', 'local y = m.weight.new():resize(3):copy(x)',
   'local y = torch.add(x.new(3):fill(1), x)', 'local y = x.new(x:size())',
   'local y = parent.updateOutput(self, x)', 'local y = parent.type(self)',
   'parent.zeroGradParameters(self)', 'local c = nn.Sequential.add(net, nn.Tanh())',
   'local y = nn.Module.forward(m, x)', 'local s = torch.typename(x)',
   'local most = opt.max or 3', 'local y = opt.mean == nil', 'state.sum = (state.sum or 0) + 1',
   'local kind = opt.type', 'local y = opt.index or words[1]', 'local y = opt.train and 1 or 2',
   'local y = state.step or 0', 'logger.items = logger.items or {}', 'local y = words.count',
   "local s = 'a' .. opt.name .. '/' .. #opt.layers", "local s = 'n=' .. x:size(1) .. '\\n'",
   "local s = (opt.none or 'none') .. 'x'", 'local s = ("%d of %d"):format(1, x:size(1))',
   'local f = function(t) return t.size end', 'if opt.a then else if opt.b then end end',
   'm.weight:copy(torch.randn(2, 3))', 'local y = x[{ { 1, 2 } }]', 'local p, g = m:parameters()',
   'for i, v in ipairs(opt.layers) do local w = words[i] end',
   'm.accept = function(n) end m.accept(3)',
   'local n = select("#", nil, nil)', 'self.output:resize(2)', 'local y = torch.Tensor.new(3)',
}

describe('no hint', function()
   setup(function()
      rawset(_G, 'nn', nn)
   end)

   teardown(function()
      rawset(_G, 'nn', nil)
   end)

   it('of the errors by themselves', function()
      for _, err in ipairs(errors) do
         assert.is_nil(hint(err), err)
      end
   end)

   for _, idiom in ipairs(idioms) do
      it('beside ' .. idiom, function()
         for _, err in ipairs(errors) do
            local line = ('%s; %s'):format(idiom, err)
            assert.is_nil(hint(line), line)
         end
      end)
   end
end)

local COLON = 'a method is called with a colon: '

-- Lines of which one part is wrong: what is said of that, and no more; or nothing.
local wrong = {
   { 'local y = x.new(nil)' },
   { 'local w = m.weight.new(nil, 3)' },
   { 'local y = m.weight.new():resize(3):copy(torch.randn(4))' },
   { 'local y = torch.add(x.new(3), torch.randn(7))',
      'y:expandAs(x) stretches y to the sizes of x; '
         .. 'torch.broadcast(true) lets sizes stretch, as NumPy does' },
   { 'local y = parent.updateOutput(self, nil)' },
   { 'local y = parent.updateOutput(m, nil)' },
   { 'local y = x.copy(x, nil)' },
   { 'local w = { x = x } w.x.cmul(w.x, nil)' },
   { 'local y = x.sum()', COLON .. 'x:sum(...)' },
   { 'local y = x.narrow(1, 2, 3)', COLON .. 'x:narrow(...)' },
   { 'local y = net.add(nn.Tanh())', COLON .. 'net:add(...)' },
   { 'for i = 1, opt.max do end', 'opt.max is nil' },
   { 'local y = opt.mean + 1', "opt has no 'mean'" },
   { 'local y = opt.type:lower()', "opt has no 'type'" },
   { 'local y = opt.device + 1', "opt has no 'device'" },
   { 'local y = state.step + 1', "state has no 'step'" },
   { 'state.sum = state.sum + 1', "state has no 'sum'" },
   { 'local y = opt.get + 1', "opt has no 'get'" },
   { 'logger.items[1] = 3', "logger has no 'items'" },
   { 'local y = opt:mean()', "opt has no 'mean'" },
   { 'local y = opt.layers:mean()', "opt.layers has no 'mean'; "
      .. 'opt.layers is a table and no tensor: torch.Tensor(opt.layers) makes one of numbers' },
   { 'logger.lines.append(3)', "logger.lines has no 'append'; "
      .. 'here it is t[#t + 1] = x, or table.insert(t, x)' },
   { "local s = 'a' .. opt.none", 'opt.none is nil' },
   { "local s = opt.none..'a'", "opt has no 'none'" },
   { "print(opt.other, 'a' .. opt.none)", 'opt.none is nil' },
   { "local s = 'a' .. true", 'tostring(x) makes a text of any value' },
   { 'local self = {} self.output.x = 3', "self has no 'output'" },
   { 'local self = nn.Linear(2, 2) self.output = nil self.output.x = 3',
      "a layer's __init begins with parent.__init(self), which makes output and gradInput" },
}
describe('a hint is of what is wrong', function()
   setup(function()
      rawset(_G, 'nn', nn)
   end)

   teardown(function()
      rawset(_G, 'nn', nil)
   end)

   for _, row in ipairs(wrong) do
      it('in ' .. row[1], function()
         assert.equal(row[2], hint(row[1]))
      end)
   end
end)
