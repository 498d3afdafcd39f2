-- How Lua's collector is paced: see lua/torch/ffi.lua.
local shell = require 'test.support.shell'

local th = shell.quoted(os.getenv 'TH_EXECUTABLE' or 'th')

local function printed(code)
   local output, status = shell.run(th .. ' -e ' .. shell.quoted(code))
   assert.same(0, status)
   return output
end

-- The factor of the collector after `code`, found out by setting it to the same again.
local REPORT = [[
   collectgarbage() collectgarbage() collectgarbage()
   local factor = collectgarbage('setpause', 200)
   print(factor)]]

describe('the pace of the collector', function()
   it('is four times what lives while that is little, twice when it is much', function()
      assert.same('400\n', printed(REPORT))
      assert.same('200\n', printed(
         'local much = {} for i = 1, 6e5 do much[i] = { i } end ' .. REPORT .. ' much[1] = nil'))
      assert.same('400\n', printed(
         'local much = {} for i = 1, 6e5 do much[i] = { i } end collectgarbage() collectgarbage() '
         .. 'much = nil ' .. REPORT))
   end)

   it('is what a program has chosen, for good', function()
      assert.same('150\n', printed("collectgarbage('setpause', 150) " .. REPORT))
   end)
end)
