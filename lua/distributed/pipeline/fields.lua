--- What the tensors in a layer's fields are, which says how copies of it come by them.
--
--    common    parameters, their gradients, running statistics: all copies have the same memory
--    buffer    what `clearState` empties or removes, numbers and texts as well: a copy has its own,
--              which its passes write. A class that goes on with one of these says so in `__state`
--              and `__carry` (nn.base.carry)
--    setting   a forward leaves it alone: all copies have the same memory
--    written   a forward writes into it, and `clearState` does not empty it: a state, which goes
--              from one forward to the next
--    replaced  the same, but a forward puts another tensor there
--
-- @module distributed.pipeline.fields

local torch = require 'torch'
local nested = require 'nn.nested'
local copying = require 'distributed.copying'
local th = require 'torch.ffi'

local M = {}

local type, is_tensor = type, th.isTensor -- torch puts its own in the global's place

local STATISTICS = { 'running_mean', 'running_var' }

--- The tensors that all copies have in common, in an order that they share.
-- @return list
-- @return the same as a set
-- @return the layers that they are of, as a set
function M.common(module)
   local parameters, gradients = module:parameters()
   local list, layers = nested.append(nested.append({}, parameters), gradients), {}
   for _, layer in ipairs(module:listModules()) do
      layers[layer] = true
      for _, name in ipairs(STATISTICS) do
         list[#list + 1] = rawget(layer, name)
      end
   end
   local set = {}
   for _, t in ipairs(list) do
      set[t] = true
   end
   return list, set, layers
end

-- Table of a layer, of one of its copies, or in such -> what is known of its fields: `buffers`
-- ('emptied' in place, or 'removed'), `known` (tensors and tables that were looked at), `kinds`. A
-- table and its copies have one.
local notes = setmetatable({}, { __mode = 'k' })

local function note_of(t)
   local note = notes[t]
   if not note then
      note = { buffers = {}, known = {}, kinds = {} }
      notes[t] = note
   end
   return note
end

--- What is known of a table's fields; nil where nothing is.
function M.note(t)
   return notes[t]
end

--- A copy's table is a counterpart of another: what is known of one is of both.
function M.counterpart(copy, t)
   notes[copy] = notes[t]
end

local function is_nest(x)
   return is_tensor(x) or type(x) == 'table'
end

local function all_buffers(nest)
   if nested.is_table(nest) then
      local note = note_of(nest)
      for key, value in pairs(nest) do
         if is_nest(value) then
            note.known[key], note.buffers[key] = true, 'removed'
            all_buffers(value)
         end
      end
   end
end

local NONE = {}

--- What goes from call to call by the class's own `__carry`, as a set of fields (nn.base.carry).
function M.states(t)
   return torch.typename(t) and t.__state or NONE
end

-- A module of tiny tensors, behind clearState. Some modules may not take it: of these more is
-- copied than need be.
local function cleared(module, memo)
   local probe = copying.of(module, memo, function() return torch.DoubleTensor(1) end)
   for source, copy in pairs(memo) do
      if type(source) == 'table' then
         for key in pairs(M.states(source)) do
            rawset(copy, key, nil)
         end
      end
   end
   for _, part in ipairs(probe:listModules()) do
      pcall(part.clearState, part)
   end
   return probe
end

--- Find out which fields a module's `clearState` empties, by one of tiny tensors.
function M.learn(module)
   local memo = {}
   cleared(module, memo)
   for source, copy in pairs(memo) do
      if type(source) == 'table' then
         local note = note_of(source)
         for key, value in pairs(source) do
            local left, before = rawget(copy, key), value
            if is_nest(value) then
               note.known[key], before = true, memo[value]
            end
            if left ~= before then
               note.buffers[key] = 'removed'
               all_buffers(value)
            elseif is_tensor(left) and left:nElement() == 0 then
               note.buffers[key] = 'emptied'
            end
         end
      end
   end
end

-- Call f(t, note, key, tensor) for the tensors of a graph that are neither buffers nor common; true
-- if there were fields that nothing is known of.
local function each_kept(t, common, f, seen)
   seen[t] = true
   local note, news = note_of(t), false
   for key, value in pairs(t) do
      if is_nest(value) and not note.buffers[key] then
         news = news or not note.known[key]
         if not is_tensor(value) then
            news = not seen[value] and each_kept(value, common, f, seen) or news
         elseif not common[value] then
            f(t, note, key, value)
         end
      end
   end
   return news
end

--- A view of a tensor, and how often its memory was written to.
function M.mark(t)
   return { handle = t.new():set(t), version = t.store ~= nil and t.store.version[0] }
end

--- Whether a tensor lies where it was marked.
function M.is_there(mark, t)
   return mark ~= nil and (t.store == nil and mark.handle.store == nil or t:isSetTo(mark.handle))
end

--- Before a forward of a module: note where its tensors are.
-- @param module
-- @tab common a set, of `M.common`
-- @return what `compare` takes
function M.snapshot(module, common)
   local marks = {}
   local function mark(t, _, key, value)
      marks[t] = marks[t] or {}
      marks[t][key] = M.mark(value)
   end
   if each_kept(module, common, mark, {}) then
      M.learn(module)
      marks = {}
      each_kept(module, common, mark, {})
   end
   return marks
end

--- Behind it: find out which of them it has written or replaced.
function M.compare(module, marks, common)
   each_kept(module, common, function(t, note, key, value)
      local mark = marks[t] and marks[t][key]
      if not M.is_there(mark, value) then
         note.kinds[key] = 'replaced'
      else
         note.kinds[key] = M.mark(value).version == mark.version and 'setting' or 'written'
      end
   end, {})
end

return M
