--- Options of an example, each declared in a row with what it may be.
--
--     local options = paths.dofile '../common/options.lua'
--     local opt = options.parse('Train a net.', {
--        { 'epochs', 8, 'passes over the images', options.whole(1) },
--        options.threads, options.seed,
--     })
--
-- A value that makes no sense is refused before the work begins.

local torch = require 'torch'
local paths = require 'paths'

local options = {}

--- End the program by one line that says what is wrong.
function options.refuse(message, ...)
   io.stdout:flush()
   io.stderr:write(arg[0], ': ', message:format(...), '\n')
   os.exit(1)
end

--- Call a function with what an option gave; an error ends the program by one line.
function options.try(name, f, ...)
   local ok, result = pcall(f, ...)
   if not ok then
      options.refuse('--%s: %s', name, (tostring(result):gsub('^[^\n:]+:%d+: ', '')))
   end
   return result
end

-- A check returns nothing, or what it expected.

--- A whole number, from `least` on, or up to `most`.
function options.whole(least, most)
   return function(value)
      if value < least or value % 1 ~= 0 or value > (most or value) then
         return ('a whole number from %d %s'):format(least, most and ('to %d'):format(most) or 'on')
      end
   end
end

--- A number that is one, and not infinite.
function options.finite(value)
   if value - value ~= 0 then -- infinite, or NaN
      return 'a finite number'
   end
end

--- A positive number, and not infinite.
function options.positive(value)
   if not (value > 0 and value < math.huge) then
      return 'a positive number'
   end
end

--- A number from 0 to 1.
function options.share(value)
   if not (value >= 0 and value <= 1) then
      return 'a number from 0 to 1'
   end
end

--- One of some words.
function options.one_of(...)
   local words = { ... }
   return function(value)
      for _, word in ipairs(words) do
         if value == word then
            return
         end
      end
      return table.concat(words, ', ', 1, #words - 1) .. ' or ' .. words[#words]
   end
end

--- A file that can be written. Leaves none where there was none.
function options.writable(path, name)
   local exists = paths.filep(path)
   local file, reason = io.open(path, 'ab')
   if not file then
      options.refuse('--%s: cannot write %s', name, reason)
   end
   file:close()
   if not exists then
      os.remove(path)
   end
end

--- A folder in which checkpoints and logs go, which make it. Leaves none where there was none.
function options.writable_folder(path, name)
   if paths.dirp(path) then
      return options.writable(path .. '/.writable', name)
   elseif not paths.mkdir(path) then
      options.refuse('--%s: cannot make the folder %s', name, path)
   end
   os.remove(path)
end

--- What computes: 'cpu', or 'cuda' where there is such a device.
function options.computer(value, name)
   if value == 'cuda' then
      local loaded, count = pcall(function() return require('cutorch').getDeviceCount() end)
      if not loaded or count == 0 then
         options.refuse('--%s: there is no CUDA device here', name)
      end
   elseif value ~= 'cpu' then
      return 'cpu or cuda'
   end
end

--- A file to be written whose name ends with one of these, or '' for none.
function options.drawing(...)
   local endings = { ... }
   return function(path, name)
      for _, ending in ipairs(endings) do
         if path:sub(-#ending) == ending then
            return options.writable(path, name)
         end
      end
      if path ~= '' then
         return ("a name that ends with %s, or '' for no picture"):format(
            table.concat(endings, ' or '))
      end
   end
end

options.threads = { 'threads', 0, 'threads (0: one for each core)', options.whole(0) }
options.seed = { 'seed', 1, 'same seed, same threads, same machine: same result',
   options.whole(0, 2 ^ 53) }
options.data = { 'data', '/usr/share/datasets/fashion-mnist', 'folder of the four IDX files' }
options.samples = { 'samples', 0, 'images of each part of the data to use, the first ones (0: all)',
   options.whole(0) }
options.folder = { 'folder', '', 'of checkpoints, from which a run that was stopped goes on',
   options.writable_folder }
options.device = { 'device', 'cpu', 'or cuda', options.computer }

--- The options of this run: the defaults, and what the command line says; nil for empty texts. Sets
-- the threads and the seed.
-- @string title what the script does
-- @tparam table rows of name, default, text and, optionally, a check
-- @treturn table of values by name
-- What is wrong ends the program: "--epochs is 0, expected a whole number from 1 on".
function options.parse(title, rows)
   local cmd = torch.CmdLine()
   cmd:text(title)
   cmd:text()
   for _, row in ipairs(rows) do
      cmd:option('--' .. row[1], row[2], row[3])
   end
   function cmd.error(_, message)
      options.refuse('%s; --help lists the options', message)
   end
   local opt = cmd:parse(arg)
   for _, row in ipairs(rows) do
      local name, default, check = row[1], row[2], row[4]
      local value = opt[name]
      local none = value == '' and default == ''
      local expected = not none and check and check(value, name)
      if expected then
         options.refuse('--%s is %s, expected %s', name,
            type(value) == 'string' and "'" .. value .. "'" or value, expected)
      elseif none or check and value == '' then
         opt[name] = nil
      end
   end
   if opt.threads and opt.threads > 0 then
      torch.setnumthreads(opt.threads)
   end
   if opt.seed then
      torch.manualSeed(opt.seed)
   end
   return opt
end

--- Go on from the checkpoints of `--folder`, if it was given and has some.
-- @param trainer train.Trainer, none of whose checkpoints may be of another net
function options.resume(trainer)
   return trainer.checkpoints and options.try('folder', trainer.resume, trainer)
end

return options
