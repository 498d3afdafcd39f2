--- The text that is being edited: lines, and a cursor among them.
-- @classmod trepl.editor.buffer
local width = require 'trepl.editor.width'

local Buffer = {}
Buffer.__index = Buffer

-- `at` is where the next character goes: 1 is before the first byte.
function Buffer.new(text)
   text = text or ''
   return setmetatable({ text = text, at = #text + 1, killed = '' }, Buffer)
end

function Buffer:set(text, at)
   self.text = text
   self.at = math.min(at or #text + 1, #text + 1)
end

function Buffer:insert(text)
   self.text = self.text:sub(1, self.at - 1) .. text .. self.text:sub(self.at)
   self.at = self.at + #text
end

--- Take out what lies between two positions.
function Buffer:remove(first, last)
   local removed = self.text:sub(first, last)
   self.text = self.text:sub(1, first - 1) .. self.text:sub(last + 1)
   if self.at > last then
      self.at = self.at - #removed
   elseif self.at > first then
      self.at = first
   end
   return removed
end

function Buffer:before()
   return self.text:sub(1, self.at - 1)
end

--- The first byte of the cursor's line, and the one after its last.
function Buffer:line()
   local first = self:before():match '.*\n()' or 1
   return first, self.text:find('\n', self.at, true) or #self.text + 1
end

function Buffer:is_first_line()
   return self:line() == 1
end

function Buffer:is_last_line()
   return select(2, self:line()) == #self.text + 1
end

-- --- moves, each to a new place of the cursor ----------------------------------------------------

local places = {}
Buffer.places = places

function places.left(self)
   return self.at > 1 and width.previous(self.text, self.at) or 1
end

function places.right(self)
   return math.min(self.at + #width.character(self.text, self.at), #self.text + 1)
end

function places.line_start(self)
   return (self:line())
end

function places.line_end(self)
   return select(2, self:line())
end

function places.word_left(self)
   return self:before():match '()[%w_\128-\255]+[^%w_\128-\255]*$' or 1
end

function places.word_right(self)
   return self.text:match('^[^%w_\128-\255]*[%w_\128-\255]+()', self.at) or #self.text + 1
end

function Buffer:move(place)
   self.at = places[place](self)
end

--- Kill from the cursor to a place; the text can be put back.
function Buffer:kill(place)
   local to = places[place](self)
   if to == self.at and place == 'line_end' and to <= #self.text then
      to = to + 1 -- at the end of a line: the line's end itself
   end
   if to ~= self.at then
      self.killed = self:remove(math.min(to, self.at), math.max(to, self.at) - 1)
   end
end

function Buffer:yank()
   self:insert(self.killed)
end

--- Go to the same column of the next line (1) or the one before (-1).
-- @return false when there is none
function Buffer:move_line(step)
   local first, after = self:line()
   local column = self.at - first
   if step < 0 then
      if first == 1 then
         return false
      end
      self.at = first - 1
   else
      if after > #self.text then
         return false
      end
      self.at = after + 1
   end
   local start, stop = self:line()
   self.at = math.min(start + column, stop)
   while self.at > start and self.text:find('^[\128-\191]', self.at) do
      self.at = self.at - 1 -- not within a character
   end
   return true
end

--- Exchange the two characters around the cursor.
function Buffer:transpose()
   local first, after = self:line()
   if after - first < 2 or self.at == first then
      return
   end
   if self.at == after then
      self:move 'left'
   end
   local left = places.left(self)
   local character = width.character(self.text, self.at)
   self:remove(self.at, self.at + #character - 1)
   self.at = left
   self:insert(character)
   self:move 'right'
end

return Buffer
