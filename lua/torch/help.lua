--- help(): what the sources say about a function, a class or a package.
-- @module torch.help
local class = require 'torch.class'
local docs = require 'torch.docs'
local gen = require 'torch.gen.ops'
local errors = require 'torch.errors'

local M = {}

-- --- generated operations -----------------------------------------------------------------------

local forms = { -- family of lib/TH/ops -> call forms, %s standing for the name
   unary = { 'torch.%s([res,] x) -> res', 'x:%s() -> x, in place', 'res:%s(x) -> res' },
   scalar = {
      'torch.%s([res,] x, value) -> res', 'x:%s(value) -> x, in place', 'res:%s(x, value) -> res',
   },
   scalar2 = { 'torch.%s([res,] x, a, b) -> res', 'x:%s(a, b) -> x, in place', 'res:%s(x, a, b)' },
   binary = { 'torch.%s([res,] x, y) -> res', 'x:%s(y) -> x, in place', 'res:%s(x, y) -> res' },
   ternary_scalar = {
      'torch.%s([res,] x, [value = 1,] y, z) -> res', 'x:%s([value = 1,] y, z) -> x, in place',
      'res:%s(x, [value = 1,] y, z) -> res',
   },
   compare = {
      'torch.%s([res,] x, y) -> res', 'x:%s(y) -> res', 'res:%s(x, y) -> res',
   },
}
local remarks = {
   compare = 'y is a tensor or a number. res is a ByteTensor of 0 and 1, or of the type of x.',
   binary = 'x and y have equal numbers of elements; res takes the sizes of x.',
   ternary_scalar = 'x, y and z have equal numbers of elements; res takes the sizes of x.',
}
local dtypes = {
   Numeric = 'all types', Floating = 'half, bfloat16, float, double', Integral = 'integer types',
}

local rows
--- The row of lib/TH/ops for an operation, or nil.
function M.row(name)
   if not rows then
      rows = {}
      for _, row in ipairs(gen.rows) do
         rows[row.name] = row
      end
      rows.mod, rows.cmod = rows.fmod, rows.cfmod
      for _, family in ipairs { 'bitand', 'bitor', 'bitxor' } do
         rows[family] = rows[family .. '_value']
      end
   end
   return rows[name]
end

--- An operation's row as lines of text: formula, types, call forms.
function M.rowLines(name, row)
   local lines = { ('%s   (%s)'):format(row.formula, dtypes[row.dtypes] or row.dtypes) }
   lines[#lines + 1] = remarks[row.family]
   lines[#lines + 1] = ''
   for _, form in ipairs(forms[row.family] or {}) do
      lines[#lines + 1] = '    ' .. form:format(name)
   end
   return lines
end

-- --- docstrings ---------------------------------------------------------------------------------

local function add(lines, prefix, list)
   for _, text in ipairs(list) do
      lines[#lines + 1] = prefix .. text
   end
end

--- A docstring as lines of text.
function M.entryLines(entry)
   local lines = {}
   add(lines, '', entry.text)
   if #entry.usage > 0 then
      lines[#lines + 1] = ''
      add(lines, '    ', entry.usage)
   end
   if #entry.params + #entry.returns + #entry.raises > 0 then
      lines[#lines + 1] = ''
   end
   for _, p in ipairs(entry.params) do
      lines[#lines + 1] = ('  %s: %s'):format(p.name, p.text)
   end
   add(lines, '  returns ', entry.returns)
   add(lines, '  raises ', entry.raises)
   return lines
end

--- The call as the docstring's parameters give it: (a, [b]).
function M.signature(entry)
   local list = {}
   for _, p in ipairs(entry.params) do
      list[#list + 1] = p.optional and '[' .. p.name .. ']' or p.name
   end
   if #list > 0 then
      return '(' .. table.concat(list, ', ') .. ')'
   elseif #entry.usage > 0 then -- the forms say it all
      return ''
   end
   return entry.code:match '^%s*local function%s*[%w_]+%s*(%b())'
      or entry.code:match '^%s*function%s*[%w_.:]+%s*(%b())' or ''
end

-- The entry for a function: at best from its own file and of the wanted table (T or F).
local function entryFor(package, name, f, owner)
   local index = docs.package(package)
   local list = index and index.names[name] or {}
   local source = debug.getinfo(f, 'S').source:sub(2)
   local best, rank = nil, 0
   for _, entry in ipairs(list) do
      local points = 1
      if entry.file == source then
         points = points + 4
      end
      for _, full in ipairs(entry.names) do
         local prefix = full:match '^([%w_.]+)[.:][%w_]+$'
         if prefix == owner or (owner == 'T' and prefix == 'methods') then
            points = points + 2
         elseif prefix and (prefix == 'T' or prefix == 'F') then
            points = points + 1
         end
      end
      if points > rank and (entry.file == source or points > 1) then
         best, rank = entry, points
      end
   end
   return best
end

--- What is known about a function.
-- @param package string: where the docstrings are
-- @param name string: the function's bare name
-- @param f function
-- @param owner string: 'T' for a method of tensors, 'F' for a function of torch, a class's name
-- @return entry, row: each may be nil
function M.find(package, name, f, owner)
   local entry = entryFor(package, name, f, owner)
   local row = package == 'torch' and M.row(name) or nil
   return entry, row
end

-- --- what is meant ------------------------------------------------------------------------------

local function tensorMethods()
   return class.getmetatable 'torch.DoubleTensor'
end

-- Packages that may hold what help is asked about: torch first.
local function packagesLoaded()
   local list = {}
   for name, value in pairs(package.loaded) do
      if type(name) == 'string' and name:match '^%w+$' and type(value) == 'table'
         and name ~= '_G' and name ~= 'torch' then
         list[#list + 1] = name
      end
   end
   table.sort(list)
   table.insert(list, 1, 'torch')
   return list
end

-- Every name a function goes by: { title, package, bare name, f, owner }.
local function namesOf(f)
   local found = {}
   for _, package in ipairs(packagesLoaded()) do
      local names = {}
      for name, value in pairs(_G.package.loaded[package]) do
         if value == f and type(name) == 'string' then
            names[#names + 1] = name
         end
      end
      table.sort(names)
      for _, name in ipairs(names) do
         found[#found + 1] = { package .. '.' .. name, package, name, f, 'F' }
      end
      if package == 'torch' then
         for name, value in pairs(tensorMethods()) do
            if value == f and not name:match '^__%w+$' then
               found[#found + 1] = { 'Tensor:' .. name, 'torch', name, f, 'T' }
            end
         end
      end
   end
   return found
end

local function nothing(what)
   return ('no help on %s. Ask with a function, a class or a name: help(torch.add), '
      .. "help 'nn.Linear', help 'torch'"):format(what)
end

local function functionText(names)
   local lines, shown = {}, {}
   for _, it in ipairs(names) do
      local title, package, name, f, owner = unpack(it)
      local entry, row = M.find(package, name, f, owner)
      local key = entry or row
      if key and not shown[key] then
         shown[key] = true
         add(lines, '', #lines > 0 and { '' } or {})
         lines[#lines + 1] = title .. (entry and M.signature(entry) or '')
         lines[#lines + 1] = ''
         if entry and #entry.text == 0 and entry.home.head then
            add(lines, '', entry.home.head.text)
         end
         add(lines, '', entry and M.entryLines(entry) or {})
         if row then
            add(lines, '', entry and { '' } or {})
            add(lines, '', M.rowLines(name, row))
         end
      end
   end
   if #lines == 0 then
      local info = debug.getinfo(names[1][4], 'S')
      return ('%s has no docstring; it is defined in %s'):format(names[1][1], info.short_src)
   end
   return table.concat(lines, '\n')
end

local function firstSentence(entry)
   local text = table.concat(entry.text, ' ')
   return text:match '^(.-%.)%s' or text
end

local function classText(name)
   local package = name:match '^[^.]+'
   local index = docs.package(package)
   local file = index and index.modules[name]
   local bare = name:match '[^.]+$'
   for _, candidate in ipairs(index and not file and index.files or {}) do
      if candidate.path:match('/' .. bare .. '%.lua$') then
         file = candidate
      end
   end
   if not file then
      return nothing(name)
   end
   local methods = class.getmetatable(name) or {}
   if name == 'torch.Tensor' then
      methods = tensorMethods()
   end
   local lines = { name, '' }
   add(lines, '', file.head and file.head.text or {})
   for _, entry in ipairs(file.entries) do
      local method = entry.names[1] and entry.names[1]:match '[%w_]+$'
      if method == bare or methods[method or ''] then
         local title = (method == '__init' or method == bare) and name or ':' .. method
         add(lines, '', { '', title .. M.signature(entry) })
         for _, line in ipairs(M.entryLines(entry)) do
            lines[#lines + 1] = line == '' and '' or '  ' .. line
         end
      end
   end
   return table.concat(lines, '\n')
end

local function packageText(name)
   local index = docs.package(name)
   if not index then
      return nothing(name)
   end
   local lines = { name, '' }
   for _, file in ipairs(index.files) do
      local module = file.path:sub(#index.directory + 2):gsub('%.lua$', '')
      if module == 'init' then
         add(lines, '', file.head and file.head.text or {})
         lines[#lines + 1] = ''
      end
   end
   for _, file in ipairs(index.files) do
      local module = file.path:sub(#index.directory + 2):gsub('%.lua$', '')
      if file.head and module ~= 'init' then
         lines[#lines + 1] = ('  %-24s %s'):format(module, firstSentence(file.head))
      end
   end
   return table.concat(lines, '\n')
end

local function valueText(value, title)
   if type(value) == 'function' then
      local names = namesOf(value)
      if #names == 0 then
         return nothing(title or tostring(value))
      end
      return functionText(names)
   end
   local meta = type(value) == 'table' and getmetatable(value)
   local typename = type(meta) == 'table' and rawget(meta, '__typename') or class.typename(value)
   if typename then
      if typename:match '^torch%..*Tensor$' then
         typename = 'torch.Tensor'
      elseif typename:match '^torch%..*Storage$' then
         typename = 'torch.Storage'
      end
      return classText(typename)
   end
   for _, name in ipairs(packagesLoaded()) do
      if package.loaded[name] == value then
         return packageText(name)
      end
   end
   return nothing(title or ('a ' .. class.type(value)))
end

-- 'torch.add', 'Tensor:add', 'nn.Linear', 'add', 'torch'
local function named(text)
   local owner, name = text:match '^([%w_]+)[.:]([%w_]+)$'
   if owner == 'Tensor' or owner == 'tensor' then
      local f = tensorMethods()[name]
      return f and functionText { { text, 'torch', name, f, 'T' } } or nothing(text)
   elseif owner then
      local home = package.loaded[owner]
      local value = type(home) == 'table' and home[name]
      return value and valueText(value, text) or nothing(text)
   elseif package.loaded[text] and docs.package(text) then
      return packageText(text)
   end
   local names = {}
   local functions, methods = package.loaded.torch, tensorMethods()
   if type(functions[text]) == 'function' then
      names[1] = { 'torch.' .. text, 'torch', text, functions[text], 'F' }
   end
   if type(methods[text]) == 'function' then
      names[#names + 1] = { 'Tensor:' .. text, 'torch', text, methods[text], 'T' }
   end
   if #names > 0 then
      return functionText(names)
   end
   for _, home in ipairs(packagesLoaded()) do
      local value = package.loaded[home][text]
      if type(value) == 'function' or type(value) == 'table' then
         return valueText(value, text)
      end
   end
   return nothing(text)
end

--- The text that help(x) prints.
function M.text(x)
   if type(x) == 'string' then
      return named(x)
   end
   return valueText(x)
end

--- Print what the sources say about a function, a class, an object's class or a package.
-- At the prompt of `th` it is the global `help` as well.
-- @function help
-- @param x function, class, object, package table, or one of their names as a string
-- @usage help(torch.add)
-- help 'add'
-- help(nn.Linear)
function M.help(x)
   if x == nil then
      errors.raise(nothing 'nil')
   end
   print(M.text(x))
end

return M
