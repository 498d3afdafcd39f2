--- Runs the Lua on a Markdown page from top to bottom, as somebody who types it would, and compares
-- what it prints with what the page shows.
--
-- All blocks of a page share their globals; each is a chunk of its own, so locals end with it.
--
--    ```lua                    runs; `code --> value` is compared (examples.lua)
--    ```output                 what the block before it prints, exactly
--    ```lua needs image        runs where `require 'image'` succeeds
--    ```lua needs cutorch 2    and there are as many devices
--    ```lua not run: reason    is compiled only
--
-- As a script, `th test/support/documents/pages.lua PAGE` prints what is wrong, what was left out
-- and why, and how much ran. Each page runs in a process and an empty folder of its own.
local torch = require 'torch'
local paths = require 'paths'
local here = debug.getinfo(1, 'S').source:match '^@(.*)/[^/]+$'
local examples = dofile(here .. '/examples.lua')

local M = {}

--- The blocks of a page.
-- @return list of { line, lines, needs, count, reason, output }
function M.blocks(page)
   local found, block, number, gap = {}, nil, 0, true
   for line in io.lines(page) do
      number = number + 1
      local info = line:match '^```(.*)$'
      if info and block then
         block, gap = nil, false
      elseif info == 'output' and found[1] and not gap then
         found[#found].output = {}
         block = found[#found].output
      elseif info and info:match '^lua%f[%W]' then
         local needs, count = info:match '^lua needs (%S+)%s*(%d*)$'
         local reason = info:match '^lua not run: (.+)$'
         assert(info == 'lua' or needs or reason, ('%s:%d: ```%s'):format(page, number, info))
         found[#found + 1] = { line = number, lines = {}, needs = needs,
            count = tonumber(count) or 1, reason = reason }
         block = found[#found].lines
      elseif info then
         assert(info ~= 'output', ('%s:%d: output of nothing'):format(page, number))
         block, gap = {}, true -- of another language
      elseif block then
         block[#block + 1] = line
      elseif line:match '%S' then
         gap = true
      end
   end
   return found
end

-- Why a block is not run, or nil.
local function refusal(block)
   if block.reason then
      return 'not run: ' .. block.reason
   elseif block.needs then
      local loaded, package = pcall(require, block.needs)
      local devices = block.needs == 'cutorch' and loaded and package.getDeviceCount() or 1
      return not (loaded and devices >= block.count)
         and ('needs %s %d'):format(block.needs, block.count) or nil
   end
end

local function separator(line)
   io.write('\1', line, '\n')
   io.flush()
end

-- In the process of the page: run the blocks, what each prints between separators.
local function run(page)
   local globals = setmetatable({}, { __index = _G })
   globals._G = globals
   torch.manualSeed(1)
   for _, block in ipairs(M.blocks(page)) do
      separator(block.line)
      local why = refusal(block)
      local failure, comparisons
      if why then
         local chunk, message = loadstring((examples.source(block.lines)), '=' .. page)
         failure, comparisons = not chunk and message or nil, 0
      else
         failure, comparisons = examples.run(('%s:%d'):format(page, block.line), block.lines,
            globals)
      end
      separator(('%d %s'):format(comparisons, failure and 'failed: ' .. failure
         or why and 'left out: ' .. why or 'ran'))
   end
end

local function trimmed(text)
   return (text:gsub('[ \t]+\n', '\n'):gsub('%s+$', ''):gsub('^\n+', ''))
end

--- Run a page.
-- @return list of what is wrong; list of what was left out; { ran, compared }
function M.judge(page)
   local folder = os.tmpname()
   os.remove(folder)
   paths.mkdir(folder)
   local script = here:match '^/' and here or paths.concat(paths.cwd(), here)
   local pipe = io.popen(("cd '%s' && '%s' '%s/pages.lua' --run '%s' 2>&1"):format(folder,
      os.getenv 'TH_EXECUTABLE', script, page))
   local text = pipe:read '*a'
   pipe:close()
   paths.rmall(folder, 'yes')
   local wrong, left, counts = {}, {}, { ran = 0, compared = 0 }
   local results = {}
   for line, printed, compared, outcome in text:gmatch '\1(%d+)\n([^\1]*)\1(%d+) ([^\1]*)' do
      results[tonumber(line)] = { trimmed(printed), tonumber(compared), trimmed(outcome) }
   end
   for _, block in ipairs(M.blocks(page)) do
      local place = ('%s:%d: '):format(page, block.line)
      local printed, compared, outcome = unpack(results[block.line] or {})
      if outcome == 'ran' then
         counts.ran, counts.compared = counts.ran + 1, counts.compared + compared
         local shown = block.output and trimmed(table.concat(block.output, '\n') .. '\n')
         if shown and shown ~= printed then
            wrong[#wrong + 1] = ('%sprints\n%s\nthe page shows\n%s'):format(place, printed, shown)
         end
         counts.compared = counts.compared + (shown and 1 or 0)
      elseif outcome and outcome:match '^left out' then
         left[#left + 1] = place .. outcome
      else
         wrong[#wrong + 1] = place .. (outcome or 'did not come to its end: ' .. text:sub(-300))
         if not outcome then
            break
         end
      end
   end
   return wrong, left, counts
end

if arg and (arg[0] or ''):match 'support/documents/pages%.lua$' then
   if arg[1] == '--run' then
      run(arg[2])
   else
      local wrong, left, counts = M.judge(arg[1])
      for _, list in ipairs { wrong, left } do
         for _, line in ipairs(list) do
            print(line)
         end
      end
      print(('%d blocks ran, %d comparisons, %d left out, %d wrong'):format(counts.ran,
         counts.compared, #left, #wrong))
   end
end

return M
