--- A folder of checkpoints: `step-00000120.t7` and so on, and `best.t7`.
--
-- Each file is there whole or not at all, however a run ends: it is written aside, synced to the
-- disk, renamed, and its folder synced. Old ones are removed when a new one is in place. Those of
-- later steps are of a run that went another way from here: they become `former-00000120.t7`.
--
-- Where a training has averages, the network of a file has the weights that go on, and `averaged`
-- those that were evaluated, by name; `model` gives the network with these.
-- @classmod train.Checkpoints
-- @example
-- local train = require 'torch.train'
-- local checkpoints = train.Checkpoints { folder = 'three', keep = 2 }
-- for step = 1, 3 do checkpoints:save({ weight = torch.ones(2) * step }, step, step == 2) end
-- checkpoints:steps() --> { 2, 3 }
-- checkpoints:load().weight, checkpoints:load('best').weight --> { 3, 3 }, { 2, 2 }

local lfs = require 'lfs'
local torch = require 'torch'
local makeParents = require 'paths.parents'
local train = require 'torch.train.module'
local atomic = require 'torch.train.checkpoint.atomic'
local options = require 'torch.options'

local Checkpoints = torch.class('train.Checkpoints', train)

local KNOWN = { folder = 'text', keep = 'count' }
local LEFT_OVER = { '%.partial$', '^%.torch%-save%-%d+%-%d+$' } -- by a run that was killed

--- @tab settings folder; keep (2): how many of the latest ones stay
function Checkpoints:__init(settings)
   settings = options.check('train.Checkpoints', settings, KNOWN)
   if not settings.folder then
      options.fail "train.Checkpoints: folder is missing: { folder = 'run', keep = 2 }"
   end
   self.folder, self.keep = settings.folder:gsub('/+$', ''), settings.keep or 2
end

local function names(self)
   local list = {}
   if lfs.attributes(self.folder, 'mode') == 'directory' then
      for name in lfs.dir(self.folder) do
         list[#list + 1] = name
      end
   end
   return list
end

local function path_of(self, step)
   return ('%s/step-%08d.t7'):format(self.folder, step)
end

--- The steps that there are checkpoints of, the latest last.
function Checkpoints:steps()
   local steps = {}
   for _, name in ipairs(names(self)) do
      steps[#steps + 1] = tonumber(name:match '^step%-(%d+)%.t7$')
   end
   table.sort(steps)
   return steps
end

-- Later steps would be taken for the newest ones.
local function set_aside(self, step)
   for _, later in ipairs(self:steps()) do
      if later > step then
         os.rename(path_of(self, later), ('%s/former-%08d.t7'):format(self.folder, later))
      end
   end
end

local function tidy(self)
   if not self.tidied then
      self.tidied = true
      for _, name in ipairs(names(self)) do
         for _, pattern in ipairs(LEFT_OVER) do
            if name:match(pattern) then
               os.remove(self.folder .. '/' .. name)
            end
         end
      end
   end
   local steps = self:steps()
   for i = 1, #steps - self.keep do
      os.remove(path_of(self, steps[i]))
   end
end

--- Make the folder, where it is missing, and see whether files can be written there: before hours
-- of work, and not after them. The Trainer does so when it runs.
-- @raise "train.Checkpoints: the folder 'run' is not there, and cannot be made",
-- "train.Checkpoints: cannot write into the folder 'run': ..."
-- @return self
function Checkpoints:prepare()
   local probe = self.folder .. '/probe.partial'
   if not makeParents(probe) then
      options.fail("train.Checkpoints: the folder '%s' is not there, and cannot be made",
         self.folder)
   end
   local file, reason = io.open(probe, 'wb')
   if not file then
      options.fail("train.Checkpoints: cannot write into the folder '%s': %s", self.folder, reason)
   end
   file:close()
   os.remove(probe)
   return self
end

--- Write one.
-- @param object what torch.save takes
-- @int step by which it is named
-- @bool[opt=false] best also call it the best so far
-- @return its path
-- @raise "train.Checkpoints: 'run/step-00000120.t7': ... write error: No space left on device; the
-- former file is as it was"
function Checkpoints:save(object, step, best)
   local path = path_of(self, step)
   makeParents(path)
   atomic.save('train.Checkpoints', path, object)
   if best then
      atomic.link('train.Checkpoints', path, self.folder .. '/best.t7')
   end
   set_aside(self, step)
   tidy(self)
   return path
end

--- Write one as the best, and not among the latest ones.
-- @param object what torch.save takes
-- @return its path
function Checkpoints:saveBest(object)
   local path = self.folder .. '/best.t7'
   makeParents(path)
   atomic.save('train.Checkpoints', path, object)
   return path
end

local function one(path)
   require 'distributed' -- layers that work over several processes may be in it
   local ok, object = pcall(torch.load, path)
   if not ok then
      return nil, (tostring(object):gsub('^[^:]*:%d+: ', ''))
   end
   return object
end

--- Read one. Of the latest ones, one that is damaged is passed over, which is said on stderr.
-- @param[opt] which 'best', or a step; by default the latest
-- @return the object and its path; nil where there is none
-- @raise "train.Checkpoints: there is no checkpoint run/best.t7"
function Checkpoints:load(which)
   if which ~= nil then
      if which ~= 'best' and not (type(which) == 'number' and which >= 0 and which % 1 == 0) then
         options.fail("train.Checkpoints: load: which is %s, expected 'best', a step, or nothing "
            .. 'for the latest', options.describe(which))
      end
      local path = which == 'best' and self.folder .. '/best.t7' or path_of(self, which)
      if not lfs.attributes(path) then
         options.fail('train.Checkpoints: there is no checkpoint %s', path)
      end
      local object, reason = one(path)
      if not object then
         options.fail("train.Checkpoints: '%s' cannot be read: %s", path, reason)
      end
      return object, path
   end
   local steps = self:steps()
   for i = #steps, 1, -1 do
      local path = path_of(self, steps[i])
      local object, reason = one(path)
      if object then
         return object, path
      end
      io.stderr:write(("train.Checkpoints: warning: '%s' cannot be read: %s%s\n"):format(path,
         reason,
         i > 1 and '; going back to the one before' or ''))
      if i == 1 then
         options.fail("train.Checkpoints: none of the %d checkpoints in '%s' can be read", #steps,
            self.folder)
      end
   end
   return nil
end

--- The network of a Trainer's checkpoint, with the averaged weights where it has some: what the
-- values of its last row were measured with.
-- @param[opt] which as for `load`
-- @return nn.Module; nil where there is no checkpoint
-- @example
-- local nn, train = require 'nn', require 'torch.train'
-- train.Trainer { model = nn.Sequential():add(nn.Linear(2, 1)), criterion = nn.MSECriterion(),
--    data = { input = torch.ones(8, 2), target = torch.ones(8, 1) }, epochs = 2, log = false,
--    average = 'ema', checkpoint = 'averaged' }:run()
-- train.Checkpoints({ folder = 'averaged' }):model('best'):forward(torch.ones(2)):size(1) --> 1
function Checkpoints:model(which)
   local object, path = self:load(which)
   if object == nil then
      return nil
   elseif type(object) ~= 'table' or not torch.isTypeOf(object.model, 'nn.Module') then
      options.fail("train.Checkpoints: model: '%s' is no checkpoint of a Trainer", path)
   end
   for _, entry in ipairs(object.averaged and train.tensors(object.model) or {}) do
      local average = object.averaged[entry.name]
      if average then
         entry.tensor:copy(average)
      end
   end
   return object.model
end
