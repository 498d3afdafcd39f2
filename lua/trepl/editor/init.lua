--- A line editor for statements of one line or many, with the keys that readline and IPython have.
--
-- Enter ends a statement that is complete and begins a new line in one that is not. Up and down
-- move through its lines and, past the first and last, through the history: the statements that
-- begin as what was typed. Ctrl-R searches, Tab completes, Ctrl-C drops what was typed.
-- @module trepl.editor
local Buffer = require 'trepl.editor.buffer'
local View = require 'trepl.editor.view'
local choices = require 'trepl.editor.choices'
local indent = require 'trepl.editor.indent'
local keys = require 'trepl.editor.keys'
local terminal = require 'trepl.editor.terminal'

local M = {}

local actions = {} -- key -> function(session, text); what they return ends the session

local function mover(place)
   return function(session)
      session.buffer:move(place)
   end
end

local function killer(place)
   return function(session)
      session.buffer:kill(place)
   end
end

for place, names in pairs {
   left = { 'left', 'ctrl-b' }, right = { 'right', 'ctrl-f' },
   line_start = { 'home', 'ctrl-a' }, line_end = { 'end', 'ctrl-e' },
   word_left = { 'alt-b', 'ctrl-left', 'alt-left' },
   word_right = { 'alt-f', 'ctrl-right', 'alt-right' },
} do
   for _, name in ipairs(names) do
      actions[name] = mover(place)
   end
end
actions['ctrl-k'] = killer 'line_end'
actions['ctrl-u'] = killer 'line_start'
actions['ctrl-w'] = killer 'word_left'
actions['alt-backspace'] = killer 'word_left'
actions['alt-d'] = killer 'word_right'

function actions.text(session, text)
   session.buffer:insert(text)
   indent.close(session.buffer)
end

function actions.paste(session, text)
   session.buffer:insert((text:gsub('\n$', '')))
end

function actions.backspace(session)
   local buffer = session.buffer
   local blanks = indent.to_remove(buffer)
   if blanks > 0 then
      buffer:remove(buffer.at - blanks, buffer.at - 1)
   elseif buffer.at > 1 then
      buffer:remove(Buffer.places.left(buffer), buffer.at - 1)
   end
end
actions['ctrl-h'] = actions.backspace

function actions.delete(session)
   local buffer = session.buffer
   if buffer.at <= #buffer.text then
      buffer:remove(buffer.at, Buffer.places.right(buffer) - 1)
   end
end

actions['ctrl-y'] = function(session)
   session.buffer:yank()
end

actions['ctrl-t'] = function(session)
   session.buffer:transpose()
end

actions['ctrl-d'] = function(session)
   if session.buffer.text == '' then
      return 'end'
   end
   actions.delete(session)
end

actions['ctrl-c'] = function()
   return 'dropped'
end

actions['ctrl-l'] = function(session)
   session.write '\27[H\27[2J'
   session.view.cursor_row = 0
end

actions['ctrl-z'] = function(session)
   session.view:leave()
   session.suspend()
   session.view:begin()
end

local function new_line(session)
   session.buffer:insert('\n' .. indent.after(session.buffer:before()))
end
actions['alt-enter'] = new_line
actions['ctrl-o'] = new_line

function actions.enter(session)
   local buffer = session.buffer
   local complete = not session.is_complete or session.is_complete(buffer.text)
   if complete and (buffer:is_last_line() or buffer:is_first_line()) then
      return 'done'
   end
   -- Two empty lines at the end ask for the statement as it is: its error will say what it lacks.
   if not complete and buffer.at > #buffer.text and buffer.text:find '\n%s*\n%s*$' then
      return 'done'
   end
   new_line(session)
end

-- --- history -------------------------------------------------------------------------------------

-- The next entry that begins as what was typed, towards the beginning (-1) or the end (1).
local function recall(session, step)
   local list, buffer = session.history, session.buffer
   if not session.place then
      session.place, session.typed = #list + 1, buffer.text
   end
   local place = session.place + step
   while list[place] and (list[place]:sub(1, #session.typed) ~= session.typed
      or list[place] == buffer.text) do
      place = place + step
   end
   if list[place] then
      session.place = place
      buffer:set(list[place])
   elseif step > 0 and session.place <= #list then
      session.place = #list + 1
      buffer:set(session.typed)
   end
end

function actions.up(session)
   if not session.buffer:move_line(-1) then
      recall(session, -1)
   end
end

function actions.down(session)
   if not session.buffer:move_line(1) then
      recall(session, 1)
   end
end

actions['page-up'] = function(session)
   recall(session, -1)
end
actions['page-down'] = function(session)
   recall(session, 1)
end
actions['ctrl-p'], actions['ctrl-n'] = actions.up, actions.down

local recalls = {
   up = true, down = true, ['page-up'] = true, ['page-down'] = true, ['ctrl-p'] = true,
   ['ctrl-n'] = true,
}

-- The newest entry before a place that holds the text.
local function search(list, text, place)
   for i = math.min(place, #list), 1, -1 do
      local found = list[i]:find(text, 1, true)
      if found then
         return i, found
      end
   end
end

-- Ctrl-R: what is typed is looked for; the key that ends it does what it always does.
actions['ctrl-r'] = function(session)
   local buffer, wanted, place = session.buffer, '', #session.history
   local original = { buffer.text, buffer.at }
   while true do
      local label = ("search '%s': "):format(wanted)
      session.view:draw(buffer, label, session.continued)
      local name, text = session.next_key()
      if name == 'ctrl-r' then
         place = place - 1
      elseif name == 'backspace' then
         wanted, place = wanted:sub(1, -2), #session.history
      elseif name == 'text' then
         wanted = wanted .. text
      elseif name == 'ctrl-g' or name == 'ctrl-c' or name == nil then
         buffer:set(unpack(original))
         return
      else
         return session.act(name, text)
      end
      local found, at = search(session.history, wanted, place)
      if found and wanted ~= '' then
         place = found
         buffer:set(session.history[found], at)
      end
   end
end

-- --- completion ----------------------------------------------------------------------------------

function actions.tab(session)
   local buffer = session.buffer
   if not session.complete or buffer:before():find '\n%s*$' or buffer.at == 1 then
      buffer:insert '   '
      return
   end
   local first, list = session.complete(buffer:before())
   local common = choices.common(list)
   local typed = buffer.text:sub(first, buffer.at - 1)
   if #common > #typed then
      buffer:remove(first, buffer.at - 1)
      buffer:insert(common)
   elseif #list > 1 and session.again then
      session.view:leave()
      session.write(choices.table(list, (session.size())):gsub('\n', '\r\n') .. '\r\n')
   end
   session.wants_list = #list > 1
end

-- --- a session -----------------------------------------------------------------------------------

--- Read one statement.
-- @param options table: prompt, continued (the prompts), and optionally history (list, oldest
-- first), is_complete(text), complete(text before the cursor) -> first byte, list of texts,
-- colour(prompt), text to begin with, idle() (called once, when the prompt is there and nothing has
-- been typed); for tests also terminal
-- @return the text; or nil and 'end' at the end of the input, 'dropped' after Ctrl-C
function M.read(options)
   local screen = options.terminal or terminal
   local view = View.new(screen.write, screen.size)
   local session = {
      buffer = Buffer.new(options.text), view = view, write = screen.write, size = screen.size,
      history = options.history or {}, is_complete = options.is_complete,
      complete = options.complete, continued = options.continued or options.prompt,
      next_key = screen.next_key or M.next_key, suspend = screen.suspend,
   }
   session.act = function(name, text)
      if not recalls[name] then
         session.place = nil
      end
      session.again, session.wants_list = session.wants_list and name == 'tab', false
      local act = actions[name]
      return act and act(session, text)
   end

   local function edit()
      view:begin()
      while true do
         view:draw(session.buffer, options.prompt, session.continued, options.colour)
         if options.idle then
            options.idle()
            options.idle = nil
         end
         local name, text = session.next_key()
         local ended = name and session.act(name, text) or (not name and 'end')
         if ended then
            session.buffer.at = #session.buffer.text + 1
            view:draw(session.buffer, options.prompt, session.continued, options.colour)
            view:leave(ended == 'dropped' and '^C' or nil)
            return ended
         end
      end
   end
   screen.begin()
   local ok, ended = pcall(edit)
   screen.finish()
   if not ok then
      error(ended, 0)
   elseif ended == 'done' then
      return session.buffer.text
   end
   return nil, ended
end

M.next_key = keys.reader(terminal.read)
M.can_edit = terminal.can_edit

return M
