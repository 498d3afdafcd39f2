--- What the text before the cursor may go on with: keywords, globals, fields, methods; file names,
-- modules and classes within strings; the options of a function within its table.
-- @module trepl.complete
local class = require 'torch.class'
local expression = require 'trepl.expression'
local members = require 'trepl.members'
local options = require 'trepl.complete.options'
local strings = require 'trepl.complete.strings'

local M = {}

local keywords = {}
for word in ([[and break do else elseif end false for function if in local nil not or repeat return
   then true until while]]):gmatch '%S+' do
   keywords[#keywords + 1] = word
end

local function beginning(list, text, before)
   local matches = {}
   for _, name in ipairs(list) do
      if name:sub(1, #text) == text then
         matches[#matches + 1] = before .. name
      end
   end
   return matches
end

local function globals()
   local names, seen = {}, {}
   for _, home in ipairs(members.homes(_G)) do
      for name in next, home do
         if type(name) == 'string' and not seen[name] then
            seen[name] = true
            names[#names + 1] = name
         end
      end
   end
   for _, word in ipairs(keywords) do
      names[#names + 1] = word
   end
   table.sort(names)
   return names
end

-- Names after a point or a colon.
local function fields(owner, separator, typed)
   local value = expression.value(owner)
   local methods = separator == ':'
   if value == nil then
      return methods and owner:find '[%)%]]%s*$' and beginning(expression.usual_names(), typed, '')
         or {}
   end
   local private = typed:sub(1, 2) == '__'
   if not methods and class.typename(value) then
      return beginning(members.fields(value, private), typed, '') -- methods want a colon
   end
   return beginning(members.names(value, methods, private), typed, '')
end

-- The quote of a string that is not closed, and where it begins; comments may not hold one.
local function open_string(text)
   local quote, first
   local at = 1
   while at <= #text do
      local c = text:sub(at, at)
      if quote then
         if c == '\\' then
            at = at + 1
         elseif c == quote then
            quote = nil
         elseif c == '\n' then
            quote = nil
         end
      elseif c == '"' or c == "'" then
         quote, first = c, at
      elseif text:find('^%-%-', at) then
         at = (text:find('\n', at, true) or #text + 1)
      end
      at = at + 1
   end
   return quote and first or nil
end

--- @param text string: what stands before the cursor
-- @return the first byte of what is completed, and the list of texts that may stand in its place
function M.complete(text)
   local quote = open_string(text)
   local shell = text:match '^%s*%$.*%f[^%s=]()[^%s=]*$'
   if quote or shell then
      local first = quote and quote + 1 or shell
      return first, strings.candidates(text:sub(1, first - 1), text:sub(first))
   end
   local name = text:match '[%a_]?[%w_]*$'
   local first = #text - #name + 1
   local before = text:sub(1, first - 1)
   local rest, separator = before:match '^(.*[%w_%)%]}"\'])%s*([.:])%s*$'
   if separator and not rest:find '%.$' then -- no concatenation
      return first, fields(expression.chain(rest), separator, name)
   elseif name == '' then
      return first, options.candidates(before, '') -- nobody wants all globals
   end
   local list = options.candidates(before, name)
   for _, global in ipairs(beginning(globals(), name, '')) do
      list[#list + 1] = global
   end
   return first, list
end

return M
