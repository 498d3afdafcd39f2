--- `th --bundle app.lua model.t7 -o app`: a script, what it needs and LuaTorch in one executable.
-- @module trepl.bundle
local lfs = require 'lfs'
local archive = require 'trepl.bundle.archive'
local contents = require 'trepl.bundle.contents'

local M = {}

local USAGE = 'usage: th --bundle script.lua [file|folder|module...] [--add file|folder|module] '
   .. '[-o program]'

local MIB = 2 ^ 20

-- What the words after --bundle say; nil and what is wrong with them.
local function parse(words)
   local script, output, additions, i = nil, nil, {}, 1
   while words[i] do
      local word = words[i]
      if word == '-o' or word == '--add' then
         i = i + 1
         if not words[i] then
            return nil, ("option '%s' needs a value"):format(word)
         elseif word == '-o' then
            output = words[i]
         else
            additions[#additions + 1] = words[i]
         end
      elseif word:sub(1, 1) == '-' then
         return nil, ("unknown option '%s'"):format(word)
      elseif not script then
         script = word
      else
         additions[#additions + 1] = word
      end
      i = i + 1
   end
   if not script then
      return nil, 'there is no script'
   end
   output = output or script:match '([^/]*)%.lua$'
   if not output or output == '' then
      return nil, '-o program is missing'
   end
   return { script = script, output = output, additions = additions }
end

-- Our libraries and the launcher without their symbols for debuggers, in a folder of their own.
local function stripped(files, launcher, scratch)
   local ours = package.searchpath('libTH', package.cpath):match '^(.*/)'
   local function strip(path, name)
      local smaller = scratch .. '/' .. name
      local command = ("strip --strip-unneeded -o '%s' '%s' 2>/dev/null"):format(smaller,
         (path:gsub("'", "'\\''")))
      return os.execute(command) == 0 and smaller or path
   end
   for i, file in ipairs(files) do
      if file.from and file.from:sub(1, #ours) == ours and file.from:find '%.so$' then
         -- By number: names may be alike, as in socket/core.so and mime/core.so.
         file.from = strip(file.from, ('%d.so'):format(i))
      end
   end
   return strip(launcher, 'th_launcher')
end

local function with_scratch(f)
   local folder = os.tmpname()
   os.remove(folder)
   assert(lfs.mkdir(folder))
   local ok, result = pcall(f, folder)
   for name in lfs.dir(folder) do
      os.remove(folder .. '/' .. name)
   end
   lfs.rmdir(folder)
   if not ok then
      error(result, 0)
   end
   return result
end

local function build(options)
   local mode = lfs.attributes(options.script, 'mode')
   if mode ~= 'file' then
      error(("script '%s' is %s"):format(options.script, mode and 'a ' .. mode or 'not there'), 0)
   elseif not loadfile(options.script) then
      error(select(2, loadfile(options.script)), 0)
   elseif lfs.attributes(options.output, 'mode') == 'directory' then
      error(("'%s' is a folder; -o names the program"):format(options.output), 0)
   elseif require('torch.gen.build').sanitize then
      error('this build has sanitizers, whose libraries must be loaded first: use another one', 0)
   end
   local launcher = package.searchpath('libTH', package.cpath):match '^(.*/)' .. 'th_launcher'
   if lfs.attributes(launcher, 'mode') ~= 'file' then
      error(('%s is not there: LuaTorch was built without libz.a (Debian: zlib1g-dev)')
         :format(launcher), 0)
   end

   local files, notes = contents.collect(options.script, options.additions)
   local unpacked = 0
   local size = with_scratch(function(scratch)
      local program = stripped(files, launcher, scratch)
      for _, file in ipairs(files) do
         unpacked = unpacked + (file.text and #file.text or lfs.attributes(file.from, 'size') or 0)
      end
      return archive.write(options.output, program, files)
   end)
   for _, note in ipairs(notes) do
      io.stderr:write('th: --bundle: ', note, '\n')
   end
   print(('%s: %.1f MiB, %d files of %.1f MiB'):format(options.output, size / MIB, #files,
      unpacked / MIB))
end

--- Make a bundle, as the command line says.
-- @param words list: what follows --bundle
-- @return exit status
function M.run(words)
   local options, reason = parse(words)
   if not options then
      io.stderr:write('th: --bundle: ', reason, '\n', USAGE, '\n')
      return 2
   end
   local ok, failure = pcall(build, options)
   if not ok then
      io.stderr:write('th: --bundle: ', tostring(failure), '\n')
      return 1
   end
   return 0
end

return M
