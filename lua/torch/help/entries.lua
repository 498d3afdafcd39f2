--- A docstring as text.
-- @module torch.help.entries
local M = {}

--- Append texts to lines, each with a prefix.
function M.add(lines, prefix, list)
   for _, text in ipairs(list) do
      lines[#lines + 1] = prefix .. text
   end
end
local add = M.add

--- A docstring as lines of text.
function M.lines(entry)
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
   if #entry.example > 0 then
      lines[#lines + 1] = ''
      add(lines, '    ', entry.example)
   end
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
   local given = entry.code:match '^%s*local function%s*[%w_]+%s*(%b())'
      or entry.code:match '^%s*function%s*[%w_.:]+%s*(%b())' or ''
   if (entry.names[1] or ''):match '^methods%.' then
      given = given:gsub('^%(self,?%s*', '(')
   end
   return given:match '^%([_, ]+%)$' and '(...)' or given
end

return M
