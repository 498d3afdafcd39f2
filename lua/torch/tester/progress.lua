--- What a Tester prints while it runs, and after.
-- @module torch.tester.progress
local M = {}

local WIDTH = 80
local RULE = ('-'):rep(WIDTH) .. '\n'

-- io.write is looked up at each call, and gets one string: programs replace it to capture output.
local function write(text)
   io.write(text)
end

local function counted(n, noun)
   return ('%d %s%s'):format(n, noun, n == 1 and '' or 's')
end

--- "Running 3 tests"
function M.start(total)
   write(('Running %s\n'):format(counted(total, 'test')))
end

--- "1/3 name ............ [PASS]", ending the line unless the status is WAIT.
function M.line(index, total, name, status)
   local head = ('%d/%d %s '):format(index, total, name)
   local tail = (' [%s]'):format(status)
   local dots = ('.'):rep(math.max(3, WIDTH - #head - #tail))
   write('\r' .. head .. dots .. tail .. (status == 'WAIT' and '' or '\n'))
   io.stdout:flush()
end

--- The summary line.
function M.summary(asserts, tests, failures, errors, disabled)
   local text = ('Completed %s in %s with %s and %s'):format(counted(asserts, 'assert'),
      counted(tests, 'test'), counted(failures, 'failure'), counted(errors, 'error'))
   if disabled > 0 then
      text = text .. (' and %d disabled'):format(disabled)
   end
   write(text .. '\n')
end

--- Messages between rules, each below the name of its test.
-- @param entries list of { name, message }
function M.messages(entries)
   if #entries == 0 then
      return
   end
   for _, entry in ipairs(entries) do
      write(RULE .. entry[1] .. '\n' .. entry[2] .. '\n\n')
   end
   write(RULE)
end

return M
