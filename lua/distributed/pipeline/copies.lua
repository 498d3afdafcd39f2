--- Copies of a stage, one for each micro-batch that is under way.
--
-- A layer keeps in its buffers what backward needs of the last forward, and between a micro-batch's
-- forward and backward a stage runs others. So each micro-batch that is under way has a copy of the
-- layers with buffers of its own. In all else a copy is what one set of layers would be: its
-- forward begins with the fields as the forward before has left them, in whichever copy that was,
-- and the stage's own layers end with those of the last. So nothing that a script sets, or a layer
-- counts or follows, can stay behind in one copy (distributed.pipeline.fields has what goes how).
-- Recomputing the forward before each backward would do with one set of buffers, for a third more
-- arithmetic; and layers that draw numbers would draw others.
-- @module distributed.pipeline.copies

local torch = require 'torch'
local copying = require 'distributed.copying'
local fields = require 'distributed.pipeline.fields'
local th = require 'torch.ffi'

local M = {}

local type, is_tensor = type, th.isTensor -- torch puts its own in the global's place

local owned = setmetatable({}, { __mode = 'k' }) -- copy's table -> key -> the memory made for it

local function is_nest(x)
   return is_tensor(x) or type(x) == 'table'
end

local function view(t)
   return t.new():set(t)
end

local function clone(t)
   return t:clone()
end

-- The parameters of a copy are the stage's, wherever these have been laid (getParameters).
local function tie(own, list)
   for i, t in ipairs(own) do
      local source = list[i]
      if t.store ~= source.store or t.offset ~= source.offset then
         t:set(source)
      end
   end
end

-- --- one copy follows another -------------------------------------------------------------------

local follow

-- What the copies have in common, as fields.common has it. Of the module it is found out in each
-- batch, in which the parameters of a layer stay where they are; of a copy, which nobody else knows
-- of, once; and again when layers have come (nn.MapTable).
local function common_of(copies, copy)
   local known = copies.common[copy]
   if not known then
      known = {}
      known.list, known.set, known.layers = fields.common(copy)
      copies.common[copy] = known
   end
   return known
end

local function begin(copies, from, home)
   return { from = from, home = home, seen = {}, copies = copies,
      common = common_of(copies, from) }
end

-- A layer has come in the forward before.
local function renew(job, layer)
   job.copies.common[job.from] = nil
   job.common = common_of(job.copies, job.from)
   job.common.layers[layer] = true -- if it is in none of the layers' modules
end

local function note_of(job, t, key)
   local note = fields.note(t)
   if (not note or key and not note.known[key]) and not job.learnt then
      fields.learn(job.from)
      job.learnt = true
      note = fields.note(t)
   end
   return note
end

local function clone_of(job)
   job.clone = job.clone or copying.sharing(clone)
   return job.clone
end

local function cloned(job, t)
   job.clones = job.clones or {}
   job.clones[t] = job.clones[t] or clone_of(job)(t)
   return job.clones[t]
end

local function put(copy, key, t)
   rawset(copy, key, t)
   owned[copy] = owned[copy] or {}
   owned[copy][key] = fields.mark(t)
end

local function is_like(a, b)
   return a:type() == b:type() and a.device == b.device and a:isSameSizeAs(b)
end

-- Whether memory is free to be written to: nothing of another tensor has come there.
local function claims(job, mine, value)
   local key = ('%s %s'):format(mine.store, mine.offset)
   job.targets = job.targets or {}
   local before = job.targets[key]
   job.targets[key] = before or value
   return not before or before:isSetTo(value)
end

-- A tensor that is neither a buffer nor common. What is written to is memory that was made for the
-- copy, or memory of the stage's that its forward writes to: never what a field only refers to.
local function follow_tensor(job, to, key, value, kind)
   local mine = rawget(to, key)
   if kind == 'setting' then
      if not job.home and not (is_tensor(mine) and mine:isSetTo(value)) then
         rawset(to, key, view(value))
      end
   elseif is_tensor(mine) and is_like(mine, value) and (job.home and kind == 'written'
      or not job.home and owned[to] and fields.is_there(owned[to][key], mine))
      and claims(job, mine, value) then
      mine:copy(value)
   else
      put(to, key, cloned(job, value))
   end
end

local function follow_nest(job, to, key, value, note)
   if job.common.set[value] then
      return true
   elseif is_tensor(value) then
      follow_tensor(job, to, key, value, note.kinds[key])
      return true
   end
   local mine = rawget(to, key)
   if type(mine) == 'table' then
      return follow(job, mine, value)
   elseif job.home then
      rawset(to, key, copying.of(value, {}, clone_of(job)))
   end
   return job.home
end

-- What the other has not. The stage's own layers may have buffers for longer.
local function drop(job, to, from, state)
   for key, value in pairs(to) do
      if rawget(from, key) == nil and not state[key] and not (job.home and is_nest(value)) then
         rawset(to, key, nil)
      end
   end
end

-- The fields of `from` for `to`, its counterpart; false where the two have become too different.
function follow(job, to, from)
   if job.seen[from] or to == from then
      return true
   end
   job.seen[from] = true
   local name = torch.typename(from)
   if torch.typename(to) ~= name then
      return false
   elseif name and not job.common.layers[from] then
      renew(job, from)
   end
   local state = fields.states(from)
   if name and from.__carry then
      to:__carry(from, from)
   end
   local note = note_of(job, from)
   fields.counterpart(to, from)
   for key, value in pairs(from) do
      if not note.buffers[key] and not state[key] then
         if not is_nest(value) then
            rawset(to, key, value)
         else
            note = note.known[key] and note or note_of(job, from, key)
            if not note.buffers[key] and not follow_nest(job, to, key, value, note) then
               return false
            end
         end
      end
   end
   drop(job, to, from, state)
   return true
end

-- A copy with the parameters of another and memory of its own.
local function made(copies, from)
   fields.learn(from)
   local common = common_of(copies, from).set
   local memo, shared = {}, copying.sharing(clone)
   local copy = copying.of(from, memo, function(t, owner, key)
      local note = fields.note(owner)
      if common[t] or note and note.kinds[key] == 'setting' then
         return view(t)
      elseif note and note.buffers[key] == 'emptied' then
         return view(t):set() -- on its device
      end
      return shared(t)
   end)
   for source, own in pairs(memo) do
      if type(source) == 'table' then
         fields.counterpart(own, source)
      end
   end
   return copy
end

-- --- a batch ------------------------------------------------------------------------------------

--- Before a batch.
-- @tab copies list, of which the first is the module itself; empty before the first batch
-- @tparam nn.Module module
-- @int underway how many micro-batches are under way at most
-- @func[opt] watcher is called with each copy that is made, and the module
function M.begin(copies, module, underway, watcher)
   copies.watcher = watcher
   copies[1], copies.newest, copies.tied = module, module, {}
   copies.common = copies.common or {}
   copies.common[module] = nil
   copies.watched = underway == 1 -- whether it is known what a forward writes to
   return copies
end

--- Behind a batch, or before a forward of its own: the module's fields become those of the last
-- forward.
function M.finish(copies)
   local module, newest = copies[1], copies.newest
   if newest ~= module then
      follow(begin(copies, newest, true), module, newest)
      copies.newest = module
   end
end

local function is_tied(copy, copies)
   if copy and not copies.tied[copy] then
      local own, list = common_of(copies, copy).list, common_of(copies, copies[1]).list
      if #own == #list then -- none have come or gone
         tie(own, list)
         copies.tied[copy] = true
      end
   end
   return copy and copies.tied[copy]
end

-- The copy for a forward. It is made when it is first needed: the module has run then, and has
-- what layers make in their first forward.
local function take(copies, slot)
   if slot == 1 then
      M.finish(copies)
      return copies[1]
   end
   local copy, newest = copies[slot], copies.newest
   if copy ~= newest
      and not (is_tied(copy, copies) and follow(begin(copies, newest), copy, newest)) then
      if copy then
         copies.common[copy] = nil
      end
      copies[slot] = made(copies, newest)
      if copies.watcher then
         copies.watcher(copies[slot], copies[1])
      end
   end
   copies.newest = copies[slot]
   return copies[slot]
end

--- A forward.
-- @tab copies
-- @int slot whose copy runs; from 1, at most one more than there are; the first of a batch is 1
-- @func f is called with it
-- @return what f gives
function M.forward(copies, slot, f, ...)
   local copy = take(copies, slot)
   if copies.watched then
      return f(copy, ...)
   end
   local marks = fields.snapshot(copy, common_of(copies, copy).set)
   local y = f(copy, ...)
   copies.common[copy] = nil -- some make their parameters in their first forward
   fields.compare(copy, marks, common_of(copies, copy).set)
   copies.watched = true
   return y
end

return M
