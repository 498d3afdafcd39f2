-- Runs the scripts of examples/ as their users do, on a small data set made here.

local paths = require 'paths'
local torch = require 'torch'
local shell = require 'test.support.shell'

local M = {}

M.quoted, M.shell, M.read = shell.quoted, shell.run, shell.read

-- Run examples/<script>; return its output and its exit status.
function M.run(script, arguments)
   local th = assert(os.getenv 'TH_EXECUTABLE', 'run busted by way of th')
   return M.shell(('%s examples/%s %s'):format(M.quoted(th), script, arguments or ''))
end

-- Run a script that must succeed; return its output.
function M.succeeds(script, arguments)
   local output, status = M.run(script, arguments)
   if status ~= 0 then
      error(('status %s: %s'):format(status, output), 2)
   end
   return output
end

-- A new folder, for M.remove.
function M.folder()
   local folder = os.tmpname()
   os.remove(folder)
   assert(paths.mkdir(folder))
   return folder
end

function M.remove(folder)
   M.shell('rm -r ' .. M.quoted(folder))
end

function M.write(path, bytes)
   local file = assert(io.open(path, 'wb'))
   file:write(bytes)
   file:close()
end

-- The text of an SVG; gnuplot, which writes it, is a process of its own.
function M.read_svg(path)
   local picture = ''
   for _ = 1, 100 do
      local file = io.open(path)
      picture = file and file:read '*a' or ''
      if file then
         file:close()
      end
      if picture:find('</svg>', 1, true) then
         break
      end
      os.execute 'sleep 0.05'
   end
   return picture
end

-- All numbers that a pattern captures in a text.
function M.numbers(text, pattern)
   local list = {}
   for number in text:gmatch(pattern) do
      list[#list + 1] = tonumber(number)
   end
   return list
end

local function word(n)
   return string.char(math.floor(n / 2 ^ 24) % 256, math.floor(n / 2 ^ 16) % 256,
      math.floor(n / 256) % 256, n % 256)
end

-- One part of a data set as Fashion-MNIST has it: ten patterns, and noise. Images of class c have a
-- bright bar of their own.
local function write_images(folder, part, count)
   local pixels, labels = {}, {}
   for i = 1, count do
      local class = i % 10
      labels[i] = string.char(class)
      for row = 0, 27 do
         for column = 0, 27 do
            local bright = math.floor(row / 6) == class % 5
               and math.floor(column / 14) == math.floor(class / 5)
            pixels[#pixels + 1] = string.char(torch.random(0, 60) + (bright and 150 or 0))
         end
      end
   end
   local images = word(0x803) .. word(count) .. word(28) .. word(28) .. table.concat(pixels)
   M.write(folder .. '/' .. part .. '-images-idx3-ubyte', images)
   labels = word(0x801) .. word(count) .. table.concat(labels)
   M.write(folder .. '/' .. part .. '-labels-idx1-ubyte', labels)
   assert(select(2, M.shell('gzip ' .. M.quoted(folder) .. '/' .. part .. '-*')) == 0)
end

-- A new folder with such a data set, the same each time: so many images to learn from, and so many
-- for tests (none).
function M.images(train, test)
   local folder = M.folder()
   torch.manualSeed(12)
   write_images(folder, 'train', train)
   if test then
      write_images(folder, 't10k', test)
   end
   return folder
end

return M
