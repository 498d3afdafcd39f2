local torch = require 'torch'
local th = require 'torch.ffi'
local signatures = require 'torch.signatures'

local C = th.C

local function names(list)
   local found = {}
   for i, call in ipairs(list) do
      found[i] = call.name
   end
   return table.concat(found, ' ')
end

local function argument(call, name)
   for _, a in ipairs(call.arguments) do
      if a.name == name then
         return a
      end
   end
end

describe('the list of operations', function()
   it('is the same for C and for Lua, parameter by parameter', function()
      local roles = { -- by C type, in the rows as the preprocessor gives them
         ['const TH_Tensor*'] = 'in', ['TH_Tensor*'] = 'out', TH_InOut = 'inout',
         ['const TH_Tensor* const*'] = 'ins', double = 'number', int = 'integer',
         int64_t = 'integer', bool = 'flag', ['const int64_t*'] = 'integers',
         ['TH_Generator*'] = 'generator', ['double*'] = 'result', ['bool*'] = 'result',
      }
      local rows, listed = require 'torch.gen.calls', signatures.names()
      assert.truthy(#rows > 200)
      for i, row in ipairs(rows) do
         assert.equal(row.name, listed[i])
         local parameters, p = signatures.of(row.name), 0
         for declaration in row.parameters:sub(2, -2):gmatch '[^,]+' do
            local ctype, name = declaration:gsub('%s+%*', '*'):match '^%s*(.-)%s*([%w_]+)%s*$'
            p = p + 1
            assert.same({ name = name, role = assert(roles[ctype], ctype) }, parameters[p])
         end
         assert.equal(p, #parameters, row.name)
      end
      assert.is_nil(signatures.of 'no such operation')
      assert.is_nil(C.TH_signature(-1) ~= nil or nil)
      assert.is_nil(C.TH_signature(100000) ~= nil or nil)
   end)

   it('marks what accumulates as read and written', function()
      local function role(op, name)
         for _, parameter in ipairs(signatures.of(op)) do
            if parameter.name == name then
               return parameter.role
            end
         end
      end
      assert.equal('inout', role('batch_norm', 'running_mean'))
      assert.equal('out', role('batch_norm', 'save_mean'))
      assert.equal('inout', role('conv_backward_weight', 'grad_weight'))
      assert.equal('inout', role('index_add', 'r'))
      assert.equal('out', role('addmm', 'r'))
      assert.equal('in', role('addmm', 't'))
      assert.equal('ins', role('cat', 'xs'))
   end)
end)

describe('torch.calls', function()
   it('lists operations, copies and views in order, and returns what f returns', function()
      local x, y = torch.rand(3, 4), torch.FloatTensor(3, 4)
      local list, a, b = torch.calls(function(z)
         x:add(2, z)
         y:copy(x)
         return x:t():sum(), 'second'
      end, torch.ones(3, 4))
      assert.equal('add_scaled copy transpose sum_all', names(list))
      assert.near(x:sum(), a, 1e-12) -- another order of addition
      assert.equal('second', b)
   end)

   it('tells roles, types, sizes, memory and numbers of arguments', function()
      local x = torch.FloatTensor(2, 5):fill(1)
      local list = torch.calls(function()
         x:clamp(-0.5, 0.5)
         return x:select(2, 3)
      end)
      local r = argument(list[1], 'r')
      assert.equal('out', r.role)
      assert.equal(torch.typename(x), r.type)
      assert.same({ 2, 5 }, r.size)
      assert.equal(argument(list[1], 'x').storage, r.storage)
      assert.equal(-0.5, argument(list[1], 'a').value)
      assert.equal(0.5, argument(list[1], 'b').value)
      assert.same({ 2 }, argument(list[2], 'r').size)
      assert.equal(r.storage, argument(list[2], 'r').storage)
      assert.equal(1, argument(list[2], 'dim').value) -- C counts from 0
   end)

   it('tells a failed call, and what comes after it', function()
      local x = torch.rand(3)
      local list = torch.calls(function()
         local ok, message = pcall(torch.cmul, x, torch.rand(4))
         assert.is_false(ok)
         assert.truthy(message:find 'cmul: ')
         x:neg()
      end)
      assert.truthy(list[#list - 1].failed)
      assert.equal('cmul', list[#list - 1].name)
      assert.falsy(list[#list].failed)
      assert.equal('neg', list[#list].name)
   end)

   it('passes an error of the function on, and stops listening', function()
      local ok, message = pcall(torch.calls, function()
         error('mine', 0)
      end)
      assert.is_false(ok)
      assert.equal('mine', message)
      local heard = torch.calls(function() end)
      torch.zeros(1):add(1)
      assert.equal(0, #heard)
   end)

   it('can be nested: the outer list holds what the inner one does', function()
      local x, inner = torch.zeros(2), nil
      local outer = torch.calls(function()
         x:add(1)
         inner = torch.calls(function()
            x:mul(2)
         end)
         x:neg()
      end)
      assert.equal('mul', names(inner))
      assert.equal('add_value mul neg', names(outer))
   end)

   it('wants a function', function()
      assert.error_matches(function()
         torch.calls(torch.rand(2))
      end, 'calls: expected a function, got torch%.%a+Tensor')
   end)
end)

describe("a storage's version", function()
   local function version(t)
      return t:storage().store.version[0]
   end

   -- Whether f moves the version of t's memory.
   local function moves(t, f)
      local before = version(t)
      f(t)
      return version(t) ~= before
   end

   local writes = {
      ['an operation'] = function(t) t:add(1) end,
      ['a copy'] = function(t) t:copy(torch.rand(t:nElement())) end,
      ['a fill'] = function(t) t:fill(2) end,
      ['an element'] = function(t) t[2] = 5 end,
      ['an element of a table of positions'] = function(t) t[{ 3 }] = 5 end,
      ['a range'] = function(t) t[{ { 1, 2 } }] = 5 end,
      ['apply'] = function(t) t:apply(function() return 1 end) end,
      ["the storage's element"] = function(t) t:storage()[1] = 3 end,
      ["the storage's fill"] = function(t) t:storage():fill(3) end,
      ["a view's element"] = function(t) t:narrow(1, 2, 1)[1] = 4 end,
      ['an operation on a view'] = function(t) t:view(2, 2):select(1, 1):mul(2) end,
      ['random numbers'] = function(t) t:uniform() end,
   }
   for name, write in pairs(writes) do
      it('moves with ' .. name, function()
         assert.is_true(moves(torch.zeros(4), write))
      end)
   end

   it('stays where it is when the memory is only read', function()
      local t, g = torch.rand(4, 4), torch.rand(4, 4)
      assert.is_false(moves(t, function()
         local _ = { t + g, t:sum(), t[2][3], t:t():clone(), torch.mm(t, g), torch.sort(t) }
         tostring(t)
      end))
   end)

   it('is one for a storage and those that view it', function()
      local s = torch.DoubleStorage(6):fill(0)
      local part = torch.DoubleStorage(s, 2, 3)
      local before = s.store.version[0]
      part[1] = 4
      assert.are_not.equal(before, s.store.version[0])
      assert.equal(s.store.version[0], part.store.version[0])
   end)

   it('is left alone by a call that fails', function()
      local t = torch.rand(3)
      assert.is_false(moves(t, function()
         assert.error_matches(function() t:cmul(torch.rand(4)) end, 'cmul: .*3.*4')
      end))
   end)
end)
