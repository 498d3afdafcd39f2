--- Progress on a terminal, with the time left; elsewhere, a line for each epoch.
-- @classmod train.Console
-- @example
-- local train = require 'torch.train'
-- local lines = {}
-- local console = train.Console { write = function(text) lines[#lines + 1] = text end }
-- console:add { epoch = 3, step = 30, loss = 0.25, ['validation.loss'] = 0.5, seconds = 61 }
-- lines[1] --> 'epoch 3  step 30  loss 0.2500  validation.loss 0.5000  1:01\n'

local torch = require 'torch'
local train = require 'torch.train.module'
local options = require 'torch.options'

local Console = torch.class('train.Console', train)

local KNOWN = { write = 'call', terminal = 'boolean', clock = 'call' }
local WIDTH = 24 -- characters of the bar
local INTERVAL = 0.1 -- seconds between drawings

local function clock_time(seconds)
   seconds = math.floor(seconds + 0.5)
   local hours = math.floor(seconds / 3600)
   local rest = ('%d:%02d'):format(math.floor(seconds / 60) % 60, seconds % 60)
   return hours > 0 and ('%d:%s'):format(hours, #rest == 4 and '0' .. rest or rest) or rest
end

local function shown(value)
   if type(value) ~= 'number' then
      return tostring(value)
   elseif value == math.floor(value) and math.abs(value) < 1e15 then
      return ('%d'):format(value)
   end
   return math.abs(value) >= 1e-3 and math.abs(value) < 1e4 and ('%.4f'):format(value)
      or ('%.3e'):format(value)
end

--- @tab[opt] settings write (function of a text; stdout), terminal (whether it is one), clock
-- (function: seconds)
function Console:__init(settings)
   settings = options.check('train.Console', settings or {}, KNOWN)
   self.write = settings.write or function(text)
      io.stdout:write(text)
      io.stdout:flush()
   end
   self.terminal = settings.terminal
   if self.terminal == nil then
      self.terminal = not settings.write and torch.isatty(io.stdout)
   end
   local timer = torch.Timer()
   self.clock = settings.clock or function()
      return timer:time().real
   end
   self.drawn, self.began, self.width = -INTERVAL, self.clock(), 0
   self.done, self.sum, self.samples = 0, 0, 0
end

--- A run goes on from a checkpoint.
-- @string path of the checkpoint
-- @int step that it was made after
-- @bool complete whether nothing is left to do
function Console:resume(path, step, complete)
   local what = complete and 'already complete at' or 'going on from'
   self.write(('%s step %d: %s\n'):format(what, step, path))
end

--- An epoch begins, or goes on.
function Console:startEpoch(state)
   self.began, self.first = self.clock(), state.batch
   self.sum, self.done, self.samples = 0, 0, 0
end

-- Share of the epoch, mean loss, samples per second, time left in it.
local function line(self, state, seconds)
   local total, epochs = state.batches, state.trainer and state.trainer.epochs
   local text = ('epoch %d%s'):format(state.epoch + 1, epochs and '/' .. epochs or '')
   if total then
      local share = math.min(state.batch / total, 1)
      local filled = math.floor(share * WIDTH)
      text = ('%s [%s%s] %3d%%'):format(text, ('='):rep(filled), (' '):rep(WIDTH - filled),
         math.floor(share * 100))
   else
      text = ('%s  step %d'):format(text, state.t)
   end
   text = ('%s  loss %.4f  %.0f samples/s'):format(text, self.sum / self.done,
      self.samples / seconds)
   if total then
      local left = seconds / math.max(state.batch - self.first, 1) * (total - state.batch)
      text = ('%s  %s left'):format(text, clock_time(left))
   end
   return text
end

local function over(self, text)
   local rest = (' '):rep(self.width - #text)
   self.width = #text
   return '\r' .. text .. rest
end

--- A batch is done.
function Console:batch(state)
   self.done, self.sum = self.done + 1, self.sum + state.loss
   if not self.terminal then
      return
   end
   local x = state.sample.input
   self.samples = self.samples + (torch.isTensor(x) and x:dim() > 0 and x:size(1) or 1)
   local now = self.clock()
   if now - self.drawn >= INTERVAL then
      self.drawn = now
      self.write(over(self, line(self, state, math.max(now - self.began, 1e-9))))
   end
end

local FIRST = { 'epoch', 'step', 'loss' }
local LAST = { learningRate = true, seconds = true }

--- The names of a row's values in the order in which logs show them.
-- @tab row
-- @return list of strings: epoch, step, loss; the others by name; learningRate, seconds
function Console.columns(row)
   local names, later, seen = {}, {}, {}
   for _, name in ipairs(FIRST) do
      seen[name] = true
      names[#names + 1] = row[name] and name
   end
   for name in pairs(row) do
      if not seen[name] and not LAST[name] then
         later[#later + 1] = name
      end
   end
   table.sort(later)
   for _, name in ipairs(later) do
      names[#names + 1] = name
   end
   names[#names + 1] = row.learningRate and 'learningRate'
   names[#names + 1] = row.seconds and 'seconds'
   return names
end

--- The values of an epoch.
-- @tab row numbers by name; texts are shown as they are
function Console:add(row)
   local texts = {}
   for _, name in ipairs(Console.columns(row)) do
      if not LAST[name] then
         texts[#texts + 1] = ('%s %s'):format(name, (name == 'epoch' or name == 'step')
            and ('%d'):format(row[name]) or shown(row[name]))
      end
   end
   texts[#texts + 1] = row.seconds and clock_time(row.seconds)
   local text = table.concat(texts, '  ')
   self.write((self.terminal and over(self, text) or text) .. '\n')
   self.width = 0
end
