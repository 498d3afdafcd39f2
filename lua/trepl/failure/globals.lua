--- A global that is nil: a package that was not required, a function whose owner was left out, a
-- name of Python's.
-- @module trepl.failure.globals
local abroad = require 'trepl.failure.abroad'
local elsewhere = require 'trepl.failure.elsewhere'

local M = {}

-- Packages that are no part of ours, by the globals that stand for them.
local foreign = { tnt = 'torchnet', moses = 'moses', argcheck = 'argcheck', dp = 'dp',
   rnn = 'rnn', dpnn = 'dpnn', autograd = 'autograd', hdf5 = 'hdf5', image = 'image',
   threads = 'threads', tds = 'tds', gnuplot = 'gnuplot', cjson = 'cjson' }

-- Penlight's modules that its `require 'pl'` makes globals.
local penlight = {}
for name in ([[lapp stringx tablex path dir text pretty utils file data func seq List Map Set
   OrderedMap MultiMap Date class app template sip lexer]]):gmatch '%S+' do
   penlight[name] = true
end

-- Names under which packages go that are called otherwise.
local SHORT = { dist = 'distributed' }

-- What `require` knows a package of ours by, or any that is installed.
local function module_of(name)
   local inner = 'torch.' .. name
   for _, ours in ipairs(require('torch.doctor.packages').ours) do
      if ours == inner then
         return inner
      end
   end
   name = SHORT[name] or name
   return (package.searchpath(name, package.path) or package.searchpath(name, package.cpath))
      and name
end

-- Whether a package has a class, or a function that makes objects, as its docstrings tell.
local function describes(index, name)
   for _, file in ipairs(index and index.files or {}) do
      if file.path:match '[^/]*$' == name .. '.lua' then
         return true
      end
   end
   return index and index.names[name] ~= nil
end

local LUAS = { 'math', 'table', 'string', 'io', 'os' } -- whose functions are named, too

-- Whose a name is: relu(x), Linear(3, 4), sqrt(2), Trainer {}.
local function owner_of(name, called)
   local known = {}
   for _, owner in ipairs { 'torch', 'nn', 'optim', 'image' } do
      local fields = package.loaded[owner]
      if type(fields) == 'table' and rawget(fields, name) ~= nil then
         known[#known + 1] = ('%s.%s(...)'):format(owner, name)
      end
   end
   for _, owner in ipairs(called and LUAS or {}) do
      if rawget(_G[owner] or {}, name) ~= nil then
         known[#known + 1] = ('%s.%s(...)'):format(owner, name)
      end
   end
   if #known > 0 then
      return ('%s is there as %s'):format(name, table.concat(known, ', '))
   end
   local docs = require 'torch.docs'
   for _, module in ipairs(name:find '^%u' and { 'torch.train', 'torch.dataset', 'nn' } or {}) do
      if describes(docs.package(module), name) then
         local short = module:match '[^.]*$'
         return ("%s is %s's: %s = require '%s', and %s.%s(...)"):format(name, module, short,
            module, short, name)
      end
   end
end

--- About a global that is nil.
-- @string name
-- @tab[opt] use verb: 'call' or 'index'; line: what it stands in; typed: whether at the prompt
-- @return sentence, or nil
function M.about(name, use)
   use = use or {}
   local called = use.verb == 'call'
   local ours = (called and abroad.functions[name] or not called and abroad.values[name])
      or (not use.verb and abroad.all[name])
   local module = not ours and module_of(name)
   if ours then
      return 'here: ' .. ours
   elseif module then
      return ("%s is a package: begin with %s%s = require '%s'"):format(module,
         use.typed and '' or 'local ', name, module)
   elseif penlight[name] and not package.searchpath('pl.' .. name, package.path) then
      return ("%s is Penlight's, which is not installed (Debian: apt install lua-penlight)"):format(
         name)
   elseif foreign[name] then
      return ("%s is a package that is not installed; with it, begin with local %s = require '%s'")
         :format(foreign[name], name, foreign[name])
   elseif called then
      return owner_of(name, true)
   end
   -- optimizer.step(), of what is no object here; where it is one, x:numpy(), it is just nil
   local field = use.line and use.line:match('%f[%w_]' .. name .. '%s*[.:]%s*([%a_][%w_]*)')
   local other = field and elsewhere[field]
   return other and not other:find '^x[:.]'
      and ('what is %s elsewhere is here %s'):format(field, other)
      or name:find '^%u' and owner_of(name) or nil
end

return M
