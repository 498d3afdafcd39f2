-- The options of each optimiser are declared once: what its documentation says, what its code reads
-- and what it warns of are the same.
local optim = require 'optim'
local find = require 'torch.help.find'
local options = require 'optim.options'
local shell = require 'test.support.shell'

local LATER = { schedule = true, scheduleEvery = true } -- optim.schedule.attach tells of them

-- Of the documentation of config: 'beta1 (0.9)' -> beta1 = '0.9'.
local function documented(f, position)
   local entry = assert(find.atDefinition(f))
   local found = {}
   local text = entry.params[position].text:gsub('^table:%s*', '')
   for name, default in text:gmatch '%f[%w]([%a][%w]*)%s%((%-?[%d.e%-]+)' do
      found[name] = tonumber(default)
   end
   return found, text
end

local rooms = {
   first_order = 'config', line_search = 'config', population = 'config',
}

local function source_of(name)
   for room in pairs(rooms) do
      local path = package.searchpath(('optim.%s.%s'):format(room, name), package.path)
      if path then
         return shell.read(path)
      end
   end
end

describe('the options of optim', function()
   for name, declared in pairs(options.of) do
      local position = name == 'FistaLS' and 5 or 3

      it(name .. ' has are documented with their defaults', function()
         local defaults, text = documented(optim[name], position)
         for option, default in pairs(declared) do
            if not LATER[option] then
               assert.truthy(text:find('%f[%w]' .. option .. '%f[^%w]'), option .. ' in ' .. text)
               if type(default) == 'number' and defaults[option] then
                  assert.equal(default, defaults[option], option)
               end
            end
         end
         for option in pairs(defaults) do
            assert.truthy(declared[option] ~= nil, option)
         end
      end)

      it(name .. ' reads are declared', function()
         for option in source_of(name):gsub('%-%-[^\n]*', ''):gmatch '%f[%w]config%.([%w_]+)' do
            assert.truthy(declared[option] ~= nil, option)
         end
      end)
   end

   it('are declared for all optimisers', function()
      local count = 0
      for name in pairs(options.of) do
         assert.equal('function', type(optim[name]), name)
         count = count + 1
      end
      assert.equal(20, count)
   end)

   it('are not spoken of where none looks misspelled', function()
      local output = shell.run(('%s -e %s'):format(os.getenv 'TH_EXECUTABLE', shell.quoted [[
optim.sgd(function(x) return 0, x end, torch.ones(2), { learningRate = 0.1, colour = 'red' })]]))
      assert.equal('', output)
   end)

   it("are named on stderr, once, when one looks misspelled; other fields are not", function()
      for name, declared in pairs(options.of) do
         local option -- some of them, with a letter too many
         for known in pairs(declared) do
            option = #known > 4 and (not option or known < option) and known or option
         end
         option = option .. 'z'
         local code = name == 'FistaLS'
            and 'optim.FistaLS(f, function() return 0 end, function() end, p, c)'
            or ('optim.%s(f, p, c)'):format(name)
         local output = shell.run(('%s -e %s'):format(os.getenv 'TH_EXECUTABLE', shell.quoted(
            ([[
local f = function(x) return x:dot(x), x * 2 end
local p, c = torch.ones(2), { colour = 'red', maxIter = 2, maxEval = 40, maxFEs = 40, maxiter = 2,
   %s = 1 }
%s %s]]):format(option, code, code))))
         local _, count = output:gsub('warning: ' .. name .. ' has no option ' .. option .. ' ', '')
         assert.equal(1, count, output)
         local _, all = output:gsub('warning', '')
         assert.equal(1, all, output)
      end
   end)
end)
