--- What the doctor writes: sections of names and values; what is wrong, each with its remedy.
-- @module torch.doctor.report
local M = {}
M.__index = M

function M.new()
   return setmetatable({ sections = {}, problems = {}, notes = {} }, M)
end

--- Begin a section.
function M:section(title)
   self.sections[#self.sections + 1] = { title = title }
end

--- A name and its value; nil is left out.
function M:line(name, value)
   if value ~= nil and value ~= '' then
      local section = self.sections[#self.sections]
      section[#section + 1] = { name, tostring(value) }
   end
end

--- What does not work, or works slowly or wrongly, and what to do.
-- @string what a sentence without its point
-- @string remedy
function M:problem(what, remedy)
   table.insert(self.problems, { what = what, remedy = remedy })
end

--- What is missing of what one may want, and what to do.
function M:note(what, remedy)
   table.insert(self.notes, { what = what, remedy = remedy })
end

local function complaints(lines, title, list)
   if #list > 0 then
      lines[#lines + 1] = title
      for _, one in ipairs(list) do
         lines[#lines + 1] = ('  - %s.'):format(one.what)
         lines[#lines + 1] = ('    %s'):format(one.remedy)
      end
      lines[#lines + 1] = ''
   end
end

function M:__tostring()
   local lines = {}
   for _, section in ipairs(self.sections) do
      lines[#lines + 1] = section.title
      for _, line in ipairs(section) do
         lines[#lines + 1] = ('  %-16s %s'):format(line[1], line[2])
      end
      lines[#lines + 1] = ''
   end
   complaints(lines, 'Problems', self.problems)
   complaints(lines, 'Not there, or not used', self.notes)
   if #self.problems == 0 then
      lines[#lines + 1] = 'No problem was found.'
   end
   return table.concat(lines, '\n')
end

return M
