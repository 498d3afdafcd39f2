-- torch.gradcheck itself, and functions of torch that are composed in Lua.
local torch = require 'torch'
local raises = require 'test.support.raises'

describe('torch.gradcheck', function()
   local x
   before_each(function()
      torch.manualSeed(1)
      x = torch.rand(2, 2):requiresGrad()
   end)

   it('takes functions that give their argument, or a view of it', function()
      assert.is_true(torch.gradcheck(function(t) return t end, x))
      assert.is_true(torch.gradcheck(function(t) return t:view(-1) end, x))
      assert.is_true(torch.gradcheck(function(t) return t:t() end, x))
   end)

   it('takes several outputs', function()
      local y = torch.rand(2, 2):requiresGrad()
      assert.is_true(torch.gradcheck(function(a, b)
         return torch.cmul(a, b), torch.cmul(a, a)
      end, { x, y }))
      local a, b = torch.rand(2, 3, 2):requiresGrad(), torch.rand(2, 2, 3):requiresGrad()
      assert.is_true(torch.gradgradcheck(torch.bmm, { a, b }))
      assert.is_true(torch.gradgradcheck(function(u, v)
         return torch.dist(u, v, 3)
      end, { torch.rand(3):requiresGrad(), torch.rand(3):requiresGrad() }))
   end)

   it('leaves its inputs and recording as they were after an error', function()
      local before, calls = x:detach():clone(), 0
      raises('mine', torch.gradcheck, function(t)
         calls = calls + 1
         if calls > 2 then
            error('mine')
         end
         return t * 2
      end, x)
      assert.same(before:totable(), x:totable())
      assert.is_true(torch.isGradEnabled())
   end)
end)

-- Operations have the walk over their rows; this one goes over torch's names: what is composed of
-- operations in Lua may end a gradient between them.
describe('functions by their names in torch', function()
   local function X() return torch.rand(3, 3):mul(0.5):add(0.2):requiresGrad() end

   local FORMS = {
      ['x'] = function(f) return function(x) return f(x) end, { X() } end,
      ['x, 1'] = function(f) return function(x) return f(x, 1) end, { X() } end,
      ['x, 2, 1'] = function(f) return function(x) return f(x, 2, 1) end, { X() } end,
      ['x, 0.4'] = function(f) return function(x) return f(x, 0.4) end, { X() } end,
      ['x, y'] = function(f) return function(x, y) return f(x, y) end, { X(), X() } end,
      ['x, 2, y'] = function(f) return function(x, y) return f(x, 2, y) end, { X(), X() } end,
      ['x, y, z'] = function(f)
         return function(x, y, z) return f(x, y, z) end, { X(), X(), X() }
      end,
      ['{x, y}, 1'] = function(f)
         return function(x, y) return f({ x, y }, 1) end, { X(), X() }
      end,
   }
   -- What differentiates or switches itself, and what takes no tensors' elements.
   local OTHERS = {}
   for name in ([[gradcheck gradgradcheck Variable grad backward checkpoint Function noGrad
      detectAnomaly class include save load saveobj loadobj serialize serializeToStorage exit help
      doctor pushudata pointer cdata data factory metatype newmetatable updateerrorhandlers
      updatethreadlocals tic toc packageLuaPath seed initialSeed manualSeed getmetatable type calls
      getconstructortable typename]]):gmatch '%a+' do
      OTHERS[name] = true
   end
   -- Constant between steps, or an error that says so.
   local function because(message)
      return message:find('no input needs a gradient', 1, true)
         or message:find('has no derivative', 1, true)
   end

   local names = {}
   for name, f in pairs(torch) do
      if type(f) == 'function' and name:match '^%l' and not OTHERS[name]
         and not name:match '^set' then
         names[#names + 1] = name
      end
   end
   table.sort(names)

   it('have the gradients that differences give', function()
      local tried, faults = 0, {}
      local kind = torch.rand(1):type()
      for _, name in ipairs(names) do
         for form, make in pairs(FORMS) do
            torch.manualSeed(5)
            local f, inputs = make(torch[name])
            local function one(...)
               torch.manualSeed(7)
               local results = { pcall(f, ...) }
               for i = 2, results[1] and #results or 1 do
                  local y = results[i]
                  if torch.isTensor(y) and y:type() == kind and y:isVariable() then
                     return y * 1
                  end
               end
               error('no result', 0)
            end
            local ok, message = pcall(torch.gradcheck, one, inputs)
            if ok then
               tried = tried + 1
            elseif not message:find('no result', 1, true) and not because(message) then
               faults[#faults + 1] = ('%s(%s): %s'):format(name, form, message)
            end
         end
      end
      table.sort(faults)
      assert.same({}, faults)
      assert.is_true(tried > 150, tried)
   end)
end)
