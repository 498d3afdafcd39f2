-- What pages ask their readers to paste, as the prompt takes it.
local block = require 'trepl.block'
local compile = require('trepl.compile').compile

local function pages()
   local list = {}
   for path in io.popen 'ls docs/*.md docs/guides/*.md':lines() do
      list[#list + 1] = path
   end
   return list
end

describe('blocks of Lua', function()
   it('can be pasted at the prompt, all of them', function()
      local seen = 0
      for _, path in ipairs(pages()) do
         local file = assert(io.open(path))
         local text = file:read '*a'
         file:close()
         for source in text:gmatch '\n```lua[^\n]*\n(.-)\n```' do
            local chunk, message = compile(source)
            if not chunk then
               chunk, message = block.compile(source)
            end
            assert.truthy(chunk, ('%s: %s\n%s'):format(path, message, source))
            seen = seen + 1
         end
      end
      assert.is_true(seen > 100)
   end)
end)
