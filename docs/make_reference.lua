-- Write docs/reference/ from the docstrings in lua/ and the formulas in lib/TH/ops:
--
--     th docs/make_reference.lua [directory]
--
-- One page per module of torch, one per other package; `help` prints the same text.

local torch = require 'torch'
local lfs = require 'lfs'
local paths = require 'paths'
local class = require 'torch.class'
local docs = require 'torch.docs'
local help = require 'torch.help'
local rows = require 'torch.help.rows'

local here = paths.dirname((debug.getinfo(1, 'S').source:sub(2)))
local target = arg[1] or paths.concat(here, 'reference')

local packages = { 'torch', 'nn', 'optim', 'paths', 'sys', 'xlua', 'cutorch', 'cunn', 'cudnn' }
local internal = { -- modules of torch that scripts never meet
   clock = true, docs = true, errors = true, ffi = true, packages = true, shapes = true,
   types = true,
}
local private = {} -- modules of other packages likewise
for _, name in ipairs {
   'nn.check', 'optim.step', 'paths.arguments', 'cutorch.ffi', 'cudnn.convert', 'cunn.batch',
} do
   private[name] = true
end
local methods = torch.getmetatable 'torch.DoubleTensor'

local function isClass(file)
   return file.head ~= nil and (file.head.module or ''):match '^torch%.%u' ~= nil
end

-- A name as users write it: torch.add, t:apply, nn.Linear, :reset.
local function spelled(package, file, full)
   local owner, separator, bare = full:match '^([%w_]+)([.:])([%w_]+)$'
   local name = bare or full
   if package == 'torch' and separator ~= ':' and not (owner == 'methods' and isClass(file)) then
      if type(torch[name]) == 'function' or not methods[name] then
         return 'torch.' .. name
      end
      return 't:' .. name
   elseif name == '__init' then
      return file.head and file.head.module or package .. '.' .. owner
   elseif separator == ':' or owner == 'methods' or (owner and class.getmetatable(file.name)) then
      return ':' .. name
   elseif owner and file.name:match('%.' .. owner .. '$') then
      return file.name .. '.' .. name -- nn.Jacobian.forward
   end
   local module = _G[package] and _G[package][file.name:match '[^.]+$']
   return (type(module) == 'table' and file.name or package) .. '.' .. name
end

local function title(package, file, entry)
   local names = {}
   for i, full in ipairs(entry.names) do
      local signature = i == #entry.names and help.signature(entry) or ''
      names[i] = '`' .. spelled(package, file, full) .. signature .. '`'
   end
   return table.concat(names, ', ')
end

-- A docstring in Markdown: its text is that already, parameters become a list.
local function writeEntry(out, entry)
   for _, line in ipairs(entry.text) do
      out[#out + 1] = line
   end
   if #entry.usage > 0 then
      out[#out + 1] = ''
      out[#out + 1] = '```lua'
      for _, line in ipairs(entry.usage) do
         out[#out + 1] = line
      end
      out[#out + 1] = '```'
   end
   if #entry.params + #entry.returns + #entry.raises > 0 then
      out[#out + 1] = ''
   end
   for _, p in ipairs(entry.params) do
      out[#out + 1] = ('* `%s`: %s'):format(p.name, p.text)
   end
   for _, text in ipairs(entry.returns) do
      out[#out + 1] = '* returns ' .. text
   end
   for _, text in ipairs(entry.raises) do
      out[#out + 1] = '* raises ' .. text
   end
   out[#out + 1] = ''
end

-- Names a docstring gives to users: not those of helpers.
local function isPublic(package, file, entry)
   local name = entry.names[1]
   if entry.isHead or not name then
      return false
   end
   local bare = name:match '[%w_]+$'
   if package == 'torch' then
      local owner = name:match '^([%w_]+)[.:]'
      if isClass(file) then
         return name:match ':' ~= nil or owner == 'methods' or owner == 'T'
            or #entry.functions > 0 or bare == file.name:match '[^.]+$'
      end
      return torch[bare] ~= nil or methods[bare] ~= nil
   elseif entry.code:match '^%s*local function' then
      return #entry.params > 0 and (_G[package] or {})[bare] ~= nil
   end
   return not private[file.name]
end

-- The operations of lib/TH/ops as a table.
local function writeRows(out)
   out[#out + 1] = '## Generated element-wise operations'
   out[#out + 1] = ''
   out[#out + 1] = 'As functions `torch.f([res,] ...)`, as methods in place `t:f(...)`, or into '
      .. '`res:f(...)`.'
   out[#out + 1] = ''
   out[#out + 1] = '| name | family | result | types |'
   out[#out + 1] = '| --- | --- | --- | --- |'
   local names = {}
   for name in pairs(methods) do
      if rows.row(name) then
         names[#names + 1] = name
      end
   end
   table.sort(names)
   for _, name in ipairs(names) do
      local row = rows.row(name)
      out[#out + 1] = ('| `%s` | %s | `%s` | %s |'):format(name, (row.family:gsub('_', ' ')),
         (row.formula:gsub('|', '\\|')), row.dtypes:lower())
   end
   out[#out + 1] = ''
end

local function writeFile(package, file, level, out)
   local entries = {}
   for _, entry in ipairs(file.entries) do
      if isPublic(package, file, entry) then
         entries[#entries + 1] = entry
      end
   end
   if not file.head or (#entries == 0 and package == 'torch') or private[file.name] then
      return false
   end
   out[#out + 1] = ('%s %s'):format(level, file.name)
   out[#out + 1] = ''
   writeEntry(out, file.head)
   for _, entry in ipairs(entries) do
      out[#out + 1] = ('%s# %s'):format(level, title(package, file, entry))
      out[#out + 1] = ''
      writeEntry(out, entry)
   end
   if file.name == 'torch.pointwise' then
      writeRows(out)
   end
   return true
end

local function save(name, lines)
   local text = table.concat(lines, '\n'):gsub('\n\n\n+', '\n\n'):gsub('%s+$', '') .. '\n'
   local out = assert(io.open(paths.concat(target, name .. '.md'), 'w'))
   out:write(text)
   out:close()
end

local function firstLine(file)
   return file.head.text[1] or ''
end

lfs.mkdir(target)
local contents = {
   '# Reference', '',
   'Written by `th docs/make_reference.lua` from the docstrings; `help(torch.add)` prints the same '
      .. 'text at the prompt.', '',
}
for _, package in ipairs(packages) do
   if package ~= 'torch' and not package:match '^cu' then
      require(package)
   end
   local index = docs.package(package)
   local page, modules = {}, {}
   for _, file in ipairs(index and index.files or {}) do
      local relative = file.path:sub(#index.directory + 2):gsub('%.lua$', '')
      local module = package .. '.' .. relative:gsub('/', '.'):gsub('%.?init$', '')
      file.name = file.head and file.head.module or module:gsub('%.$', '')
      if package == 'torch' then
         local lines = {}
         local hidden = internal[relative] or relative:match '/' and not relative:match '^class/'
            and not relative:match '^serialize/tensor'
         if not hidden and writeFile(package, file, '#', lines) then
            local name = module:gsub('%.$', '')
            save(name, lines)
            modules[#modules + 1] = ('* [%s](%s.md): %s'):format(name, name, firstLine(file))
         end
      elseif relative == 'init' then
         local lines = {}
         writeFile(package, file, '#', lines)
         for i = #lines, 1, -1 do
            table.insert(page, 1, lines[i])
         end
      else
         writeFile(package, file, '##', page)
      end
   end
   contents[#contents + 1] = '## ' .. package
   contents[#contents + 1] = ''
   if package == 'torch' then
      for _, line in ipairs(modules) do
         contents[#contents + 1] = line
      end
   elseif #page > 0 then
      save(package, page)
      contents[#contents + 1] = ('* [%s](%s.md)'):format(package, package)
   end
   contents[#contents + 1] = ''
end
save('README', contents)
