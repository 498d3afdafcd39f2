-- Write docs/definitions/: what the Lua language server (LuaLS) wants to know of our packages, from
-- the same docstrings as docs/reference:
--
--     THC_SIM_DEVICES=1 build/sim/bin/th docs/make_definitions.lua [directory]
--
-- A file for each package that can be loaded here; those of others stay as they are.

local lfs = require 'lfs'
local paths = require 'paths'
local docs = require 'torch.docs'
local public = require 'torch.help.public'
local rows = require 'torch.help.rows'

local here = paths.dirname((debug.getinfo(1, 'S').source:sub(2)))
local target = arg[1] or paths.concat(here, 'definitions')
local index = dofile(paths.concat(here, 'generator', 'index.lua'))
local signatures = dofile(paths.concat(here, 'generator', 'signatures.lua'))

local tensors = {}
for name in ([[Byte Char Short Int Long Half BFloat16 Float Double Cuda CudaByte CudaChar CudaShort
   CudaInt CudaLong CudaHalf CudaBFloat16 CudaDouble]]):gmatch '%S+' do
   tensors[#tensors + 1] = name
end

local fields = {
   ['nn.Module'] = { 'output torch.Tensor|table', 'gradInput torch.Tensor|table', 'train boolean',
      'weight torch.Tensor', 'bias torch.Tensor', 'gradWeight torch.Tensor',
      'gradBias torch.Tensor' },
   ['nn.Criterion'] = { 'output number', 'gradInput torch.Tensor|table', 'sizeAverage boolean' },
   ['nn.Container'] = { 'modules nn.Module[]' },
}

local function text(out, lines)
   for _, line in ipairs(lines) do
      out[#out + 1] = ('---%s'):format(line)
   end
end

-- torch.Tensor:add as written in the file: methods of tensors hang on a local table.
local function split(name)
   local owner, separator, bare = name:match '^(.*)([.:])([%w_]+)$'
   if owner == 'Tensor' or owner == 'Storage' then
      owner = 'torch.' .. owner
   end
   return owner, separator, bare
end

-- A function's comment and definition.
local function writeFunction(out, name, entry, row)
   local owner, separator, bare = split(name)
   local method = separator == ':'
   local object = method and owner or nil
   out[#out + 1] = ''
   local usage = entry and entry.usage or {}
   if entry then
      text(out, entry.text)
   elseif row then
      text(out, { row.formula })
      usage = rows.lines(bare, row)
   end
   local parameters = entry and signatures.params(entry) or {}
   local forms = signatures.forms(usage, bare, object)
   local head = ('function %s%s%s(%%s) end'):format(owner, separator, bare)
   local ofTensors = method and (owner == 'torch.Tensor' or owner == 'torch.Storage')
   local fromFunction = ofTensors and entry and not (entry.code:match '^%s*function methods'
      or entry.code:match '^%s*function T[.:]')
   if #parameters > 0 and not fromFunction then
      local names = {}
      for i, p in ipairs(parameters) do
         names[i] = p.name
         out[#out + 1] = ('---@param %s%s %s %s'):format(p.name,
            p.optional and p.name ~= '...' and '?' or '', p.type, p.text)
      end
      for _, kind in ipairs(signatures.returns(entry)) do
         out[#out + 1] = '---@return ' .. kind
      end
      out[#out + 1] = head:format(table.concat(names, ', '))
   else
      for _, form in ipairs(forms) do
         out[#out + 1] = '---@overload ' .. form
      end
      local taken = entry and entry.code:match 'function%s*[%w_.:]*%s*%(%s*%)'
      local none = taken and #forms == 0 and #entry.returns == 0
      if not none then
         out[#out + 1] = '---@param ... any'
      end
      for _, kind in ipairs(entry and #forms == 0 and signatures.returns(entry)
         or #forms == 0 and {} or { 'any' }) do
         out[#out + 1] = '---@return ' .. kind
      end
      out[#out + 1] = head:format(none and '' or '...')
   end
end

local function writeClass(out, name, entry, parent, constructor)
   out[#out + 1] = ''
   if entry then
      text(out, entry.text)
   end
   out[#out + 1] = '---@class ' .. name .. (parent and ': ' .. parent or '')
   for _, field in ipairs(fields[name] or {}) do
      out[#out + 1] = '---@field ' .. field
   end
   local words = {}
   for _, p in ipairs(constructor and signatures.params(constructor) or {}) do
      words[#words + 1] = ('%s%s: %s'):format(p.name, p.optional and p.name ~= '...' and '?' or '',
         p.type)
   end
   if #words == 0 then
      words[1] = '...: any'
   end
   if name == 'torch.Tensor' then
      out[#out + 1] = '---@operator add(torch.Tensor|number): torch.Tensor'
      out[#out + 1] = '---@operator sub(torch.Tensor|number): torch.Tensor'
      out[#out + 1] = '---@operator mul(torch.Tensor|number): torch.Tensor'
      out[#out + 1] = '---@operator div(torch.Tensor|number): torch.Tensor'
      out[#out + 1] = '---@operator unm: torch.Tensor'
      out[#out + 1] = '---@operator len: torch.LongStorage'
      out[#out + 1] = '---@field [any] any'
   end
   out[#out + 1] = ('---@overload fun(%s): %s'):format(table.concat(words, ', '), name)
   out[#out + 1] = name .. ' = {}'
end

-- --- gather -------------------------------------------------------------------------------------

local functions = {} -- name -> { entry, row, package }
local classes = {} -- name -> { entry, parent, package }

-- Docstrings that stand in a package's files.
local function own(package)
   local set = {}
   for _, file in ipairs(docs.package(package).files) do
      for _, entry in ipairs(file.entries) do
         set[entry] = true
      end
   end
   return set
end

local turns = {}
for i, package in ipairs(public.packages) do
   turns[package] = i
end

-- What a package adds, that one before it had not: as the index has it.
local function gather(package)
   local ours = own(package)
   index.walk(function(name, list, row)
      local home = name:match '^([%w_]+)[.:]'
      local known = functions[name] or classes[name]
      if known or (turns[home] or 0) > turns[package] then
         return
      end
      for _, entry in ipairs(list) do
         if (ours[entry] or home == package) and not functions[name] then
            functions[name] = { entry, row, package }
         end
      end
      if row and not functions[name] then
         functions[name] = { nil, row, package }
      end
   end)
   index.classes(function(name, entry, inherited, parent)
      local added = entry and (inherited and name:match '^[^.]+' == package or ours[entry])
      if added and not classes[name] then
         if parent and parent:match '^torch%.%w+Tensor$' or parent and parent:match 'Storage$' then
            parent = nil
         end
         classes[name] = { entry, parent, package }
         functions[name] = nil
      end
   end)
end

-- What has methods is a class for the language server: tds.Hash is a C type with a function to make it.
local function promote(package)
   local owners = {}
   for name, known in pairs(functions) do
      local owner = name:match '^(.*):'
      if known[3] == package and owner and owner:match '%.' and not classes[owner] then
         owners[owner] = functions[owner] or {}
      end
   end
   for owner, made in pairs(owners) do
      classes[owner], functions[owner] = { made[1], nil, package }, nil
   end
end

-- The docstring of a class's constructor: its own, or the nearest ancestor's.
local function constructorOf(name)
   while name do
      local package = name:match '^[^.]+'
      local known = docs.package(package)
      local file = known and known.modules[name]
      for _, entry in ipairs(file and file.entries or {}) do
         if (entry.names[1] or ''):match '__init$' and #entry.params > 0 then
            return entry
         end
      end
      name = classes[name] and classes[name][2]
   end
end

local function packageOf(name)
   return (functions[name] or classes[name])[3]
end

local function sorted(set)
   local names = {}
   for name in pairs(set) do
      names[#names + 1] = name
   end
   table.sort(names)
   return names
end

-- Parents before their children, so that a file reads from top to bottom.
local function byDescent(names)
   local list, done = {}, {}
   local function add(name)
      if classes[name] and not done[name] then
         done[name] = true
         add(classes[name][2] or '')
         list[#list + 1] = name
      end
   end
   for _, name in ipairs(names) do
      add(name)
   end
   return list
end

local function tables(package)
   local needed = {}
   for name in pairs(functions) do
      local owner = split(name)
      while packageOf(name) == package and owner and owner:match '%.' do
         if not classes[owner] and owner:sub(1, #package + 1) == package .. '.' then
            needed[owner] = true
         end
         owner = owner:match '^(.*)%.[^.]*$'
      end
   end
   for name in pairs(classes) do
      local owner = name:match '^(.*)%.[^.]*$'
      if packageOf(name) == package and owner:match '%.' and owner ~= package
         and not classes[owner] then
         needed[owner] = true
      end
   end
   return sorted(needed)
end

-- Types that are not classes which scripts can make, but that others are named by.
local function writeAliases(out)
   for _, kind in ipairs(tensors) do
      for _, what in ipairs { 'Tensor', 'Storage' } do
         out[#out + 1] = ''
         out[#out + 1] = ('---@class torch.%s%s: torch.%s'):format(kind, what, what)
         out[#out + 1] = ('---@overload fun(...: any): torch.%s%s'):format(kind, what)
         out[#out + 1] = ('torch.%s%s = {}'):format(kind, what)
      end
   end
end

local LITERALS = { number = '0', string = "''", boolean = 'true' }

local function writeConstants(out, package)
   local found = {}
   index.constants(package, function(name, entry, value)
      found[name] = { entry, LITERALS[type(value)] or '{}' }
   end)
   for _, name in ipairs(sorted(found)) do
      out[#out + 1] = ''
      text(out, found[name][1].text)
      out[#out + 1] = name .. ' = ' .. found[name][2]
   end
end

local function writePackage(package)
   local out = {
      '---@meta ' .. package,
      '-- Written by `th docs/make_definitions.lua` from the docstrings; not to be edited.',
      '',
      '---@class ' .. package,
   }
   local short = package:match '[^.]+$' -- of torch.dataset dataset, as its classes are called
   if _G[package] ~= nil then
      out[#out + 1] = package .. ' = {}'
   else
      out[#out] = 'local ' .. short .. ' = {}'
   end
   for _, name in ipairs(tables(package)) do
      out[#out + 1] = name .. ' = {}'
   end
   writeConstants(out, package)
   for _, name in ipairs(byDescent(sorted(classes))) do
      if packageOf(name) == package then
         local entry, parent = unpack(classes[name], 1, 2)
         writeClass(out, name, entry, parent, constructorOf(name) or entry)
      end
   end
   if package == 'torch' then
      writeAliases(out)
   end
   for _, name in ipairs(sorted(functions)) do
      if packageOf(name) == package then
         writeFunction(out, name, unpack(functions[name], 1, 2))
      end
   end
   out[#out + 1] = ''
   out[#out + 1] = 'return ' .. short
   for i, line in ipairs(out) do
      if short ~= package and not line:match '^%-%-' then
         out[i] = line:gsub('%f[%w]' .. package:gsub('%.', '%%.') .. '%f[%W]', short)
      end
   end
   local file = assert(io.open(paths.concat(target, package .. '.lua'), 'w'))
   file:write((table.concat(out, '\n'):gsub('[ \t]+\n', '\n')), '\n')
   file:close()
end

lfs.mkdir(target)
for _, package in ipairs(public.packages) do
   if pcall(require, package) then -- not before its turn: it may add to those before it
      public.refresh()
      gather(package)
      promote(package)
      writePackage(package)
   end
end
