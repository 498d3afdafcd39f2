--- Docstrings read from Lua sources: what help() prints and docs/reference is made of.
--
-- A docstring is a comment whose first line begins with three dashes. It belongs to the definition
-- below it, or to the names that `@function` lines give. The one in a file's first line describes
-- the file. One with `@type name` describes a class that is not its file's only subject; the
-- `methods.x` after it belong to that class. `@usage` lines are the forms of a call, `@example`
-- lines are Lua that runs; there `code --> value` says what code is worth.
-- @module torch.docs
local lfs = require 'lfs'
local packages = require 'torch.packages'

local M = {}

-- --- one docstring ------------------------------------------------------------------------------

-- Tags that are a kind, and the kind as it is written.
local kinds = {
   int = 'integer', bool = 'boolean', number = 'number', string = 'string', tab = 'table',
   func = 'function',
}

-- What is known of a parameter besides its text: '(integer, default 5)', '(table, optional)'.
local function noted(kind, optional, default)
   local notes = { kinds[kind] or kind }
   if optional then
      notes[#notes + 1] = default and 'default ' .. default or 'optional'
   end
   return #notes > 0 and ('(%s)'):format(table.concat(notes, ', ')) or nil
end

local function withNote(text, note)
   return note and (text == '' and note or text .. ' ' .. note) or text
end

-- '@int[opt=5] n how many', '@tparam[opt] int n how many', '@param[opt] n how many' -> name, text
-- and what is known, which goes behind the text's last line.
local function parameter(tag, option, rest)
   local kind = kinds[tag]
   if tag == 'tparam' then
      kind, rest = rest:match '^(%S+)%s*(.*)$'
   end
   local name, text = (rest or ''):match '^(%S+)%s*(.*)$'
   local optional = option ~= ''
   return { name = name or '?', text = text or '', optional = optional,
      note = noted(kind, optional, option:match '^%[opt=(.*)%]$') }
end

-- Lines of a comment, dashes taken off -> entry without names.
local function readBlock(lines)
   local entry = {
      text = {}, params = {}, returns = {}, raises = {}, usage = {}, example = {}, functions = {},
   }
   local append = function(line)
      table.insert(entry.text, line)
   end
   for _, line in ipairs(lines) do
      local tag, option, rest = line:match '^%s*@(%a+)(%[?[^%]%s]*%]?)%s*(.*)$'
      if not tag then
         append(line)
      elseif tag == 'param' or tag == 'tparam' or kinds[tag] then
         local p = parameter(tag, option, rest)
         table.insert(entry.params, p)
         append = function(more)
            p.text = p.text .. ' ' .. more:match '^%s*(.-)$'
         end
      elseif tag == 'module' or tag == 'classmod' then
         entry.module = rest
      elseif tag == 'type' then
         entry.type = rest
      elseif tag == 'function' then
         table.insert(entry.functions, rest)
      else
         local lists = {
            ['return'] = entry.returns, treturn = entry.returns, raise = entry.raises,
            usage = entry.usage, example = entry.example,
         }
         local list = lists[tag] or entry.text
         local alone = tag == 'example' and rest == '' -- its lines follow
         if not alone then
            table.insert(list, lists[tag] and rest or tag .. ' ' .. rest) -- see, source, ...
         end
         append = function(more)
            if list == entry.usage or list == entry.example then
               table.insert(list, more)
            else
               list[#list] = list[#list] .. ' ' .. more:match '^%s*(.-)$'
            end
         end
      end
   end
   for _, p in ipairs(entry.params) do
      p.text, p.note = withNote(p.text, p.note), nil
   end
   while entry.text[#entry.text] == '' do
      table.remove(entry.text)
   end
   return entry
end

-- What the code line below a docstring defines: names as written there.
local function definedNames(code)
   code = code:gsub('^%s+', '')
   local name = code:match '^local function ([%w_]+)' or code:match '^function ([%w_.:]+)'
   if name then
      return { name }
   end
   local left = code:match '^([%w_.,%s]-)%s*=[^=]'
   if left then
      local names = {}
      for one in left:gsub('^local ', ''):gmatch '[%w_.]+' do
         names[#names + 1] = one
      end
      return names
   end
   return { code:match "^[%w_]+%(?%s*'([%w_]+)'" } -- reduction('sum', ...)
end

-- --- constructors that are declared -------------------------------------------------------------

-- The entry of a class's constructor, of `arguments` in its nn.declare.
local function constructor(path, name, text, line)
   local entry = readBlock {}
   entry.names, entry.code, entry.codeLine = { name:match '[^.]+$' .. ':__init' }, '', -1
   entry.line, entry.file = line, path
   for i, argument in ipairs(require('nn.base.arguments').parse(name, text)) do
      entry.params[i] = {
         name = argument.name, optional = argument.optional,
         text = withNote(argument.text,
            noted(argument.kind, argument.optional, argument.default)),
      }
   end
   return entry
end

local function lineOf(text, position)
   return select(2, text:sub(1, position):gsub('\n', '')) + 1
end

-- Put the entries of declared constructors behind the file's head.
local function addConstructors(path, entries)
   local file = assert(io.open(path))
   local source = file:read '*a'
   file:close()
   for position, declaration in source:gmatch '()nn%.declare(%b())' do
      local name = declaration:match "^%('([%w_.]+)'," -- not one put together
      local text = declaration:match 'arguments = %[%[\n(.-)%]%]'
         or declaration:match "arguments = '(.-)'"
      if name and text then
         local place = entries[1] and entries[1].isHead and 2 or 1
         table.insert(entries, place, constructor(path, name, text, lineOf(source, position)))
      end
   end
   return entries
end

-- --- files --------------------------------------------------------------------------------------

--- The docstrings of a file, in order.
-- @param path string
-- @return table of entries { names, text, params, returns, raises, usage, example, line, code,
-- codeLine, module, type, class }; the names as written in the source: T.add, Linear:__init, stack.
-- `type` is the class described, `class` the one that an entry belongs to.
function M.file(path)
   local entries, block, first, section = {}, nil, nil, nil
   local function finish(code, codeLine)
      local entry = readBlock(block)
      entry.isHead = first == 1
      section = entry.type or section
      entry.names = (entry.isHead or entry.type) and {}
         or #entry.functions > 0 and entry.functions or definedNames(code)
      entry.class = (entry.names[1] or ''):match '^methods%.' and section or nil
      entry.code, entry.codeLine, entry.line, entry.file = code, codeLine, first, path
      entries[#entries + 1] = entry
      block = nil
   end
   local number = 0
   for line in io.lines(path) do
      number = number + 1
      local comment = line:match '^%s*%-%-(.*)$'
      local begins = line:match '^%s*%-%-%-%s*[^%-%s]'
      if block and (begins or not comment) then
         finish(line, number)
      end
      if begins then
         block, first = {}, number
      end
      if block then
         table.insert(block, (comment:gsub('^%-', ''):gsub('^ ', '')))
      end
   end
   return addConstructors(path, entries)
end

--- Packages within the folder of another one, whose docstrings they are not.
M.within = { ['torch.train'] = true, ['torch.dataset'] = true }

local function luaFiles(directory, into, package)
   local names = {}
   for name in lfs.dir(directory) do
      names[#names + 1] = name
   end
   table.sort(names)
   for _, name in ipairs(names) do
      local path = directory .. '/' .. name
      if name:match '%.lua$' then
         into[#into + 1] = path
      elseif not name:match '^%.' and not M.within[package .. '.' .. name]
         and lfs.attributes(path, 'mode') == 'directory' then
         luaFiles(path, into, package .. '.' .. name)
      end
   end
   return into
end

local known = {} -- package -> index

--- The docstrings of a package.
-- @param name string: a package as `require` knows it
-- @return table { files = { { path, head, entries }... }, names = bare name -> entries,
-- modules = @module or @classmod name -> file, types = @type name -> its entry }; nil for a package
-- without a directory of sources
function M.package(name)
   if known[name] == nil then
      local found, directory = pcall(packages.packageLuaPath, name)
      if not found or not directory:match('%f[^/]' .. name:gsub('%.', '/') .. '$') then
         known[name] = false
         return nil
      end
      local index = { files = {}, names = {}, modules = {}, types = {}, directory = directory }
      for _, path in ipairs(luaFiles(directory, {}, name)) do
         local file = { path = path, entries = M.file(path) }
         for _, entry in ipairs(file.entries) do
            if entry.isHead then
               file.head = entry
               index.modules[entry.module or ''] = file
            elseif entry.type then
               index.types[entry.type] = entry
            end
            for _, full in ipairs(entry.names) do
               local bare = full:match '[%w_]+$'
               index.names[bare] = index.names[bare] or {}
               table.insert(index.names[bare], entry)
            end
            entry.home = file
         end
         index.files[#index.files + 1] = file
      end
      known[name] = index
   end
   return known[name] or nil
end

return M
