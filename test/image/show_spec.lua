-- Grids, drawing, and what a terminal gets.
local torch = require 'torch'
local image = require 'image'
local raises = require 'test.support.raises'
local support = require 'test.image.support'
local terminal = require 'test.support.terminal'
local encoders = require 'image.show.encoders'
local screen = require 'image.show.terminal'

local near, with_file = support.near, support.with_file
local th = os.getenv 'TH_EXECUTABLE'

describe('image.toDisplayTensor', function()
   it('arranges a batch in rows', function()
      local x = torch.rand(5, 2, 3)
      x[1][1][1], x[2][1][1] = 0, 1 -- the range stays
      local grid = image.toDisplayTensor(x, 0, 2)
      assert.same({ 6, 6 }, grid:size():totable())
      near(x[1], grid[{ { 1, 2 }, { 1, 3 } }], 1e-12)
      near(x[4], grid[{ { 3, 4 }, { 4, 6 } }], 1e-12)
      near(torch.ones(2, 3), grid[{ { 5, 6 }, { 4, 6 } }], 0)
      local padded = image.toDisplayTensor { input = x, padding = 2, nrow = 5 }
      assert.same({ 4, 25 }, padded:size():totable())
      near(x[2], padded[{ { 2, 3 }, { 7, 9 } }], 1e-12)
   end)

   it('takes tables of pictures of several sizes, grey and coloured', function()
      local grid = image.toDisplayTensor { torch.zeros(2, 2), torch.ones(3, 4, 3) }
      assert.same({ 3, 4, 6 }, grid:size():totable())
      assert.equal(0, grid[2][2][2])
      assert.equal(1, grid[3][4][4])
   end)

   it('scales all together or each', function()
      local x = torch.Tensor { 0, 1, 2, 4 }:view(2, 1, 2)
      assert.same({ 0, 0.25, 0.5, 1 }, image.toDisplayTensor(x):view(-1):totable())
      assert.same({ 0, 1, 0, 1 }, image.toDisplayTensor { input = x, scaleeach = true }:view(-1)
         :totable())
      assert.same({ 0.5, 0.625, 0.75, 1 }, image.toDisplayTensor { input = x, symmetric = true }
         :view(-1):totable())
   end)

   it('says what is wrong', function()
      raises('there is no argument rows', image.toDisplayTensor,
         { input = torch.zeros(2, 2), rows = 1 })
      raises('wanted pictures of H x W, 1 x H x W or 3 x H x W; got a DoubleTensor of 2x2x2',
         image.toDisplayTensor, torch.zeros(4, 2, 2, 2))
      raises('wanted H x W', image.toDisplayTensor, torch.zeros(3))
   end)
end)

describe('drawing', function()
   it('writes letters dot by dot', function()
      local x = image.drawText(torch.zeros(3, 16, 16), 'L\nI', 1, 0, { color = { 255, 0, 0 } })
      local text = {}
      for i = 1, 16 do
         local line = {}
         for j = 1, 7 do
            line[j] = x[1][i][j] == 1 and '#' or '.'
         end
         text[i] = table.concat(line)
      end
      assert.same({
         '.#.....', '.#.....', '.#.....', '.#.....', '.#.....', '.#.....', '.#####.', '.......',
         '..###..', '...#...', '...#...', '...#...', '...#...', '...#...', '..###..', '.......',
      }, text)
      assert.equal(0, x[2]:sum())
   end)

   it('enlarges, wraps, and stays on the picture', function()
      local once = image.drawText(torch.zeros(3, 40, 40), 'a', 2, 3)
      local twice = image.drawText(torch.zeros(3, 80, 80), 'a', 4, 6, { size = 2 })
      near(image.scale(once, 80, 80, 'simple'), twice, 0)
      local wrapped = image.drawText(torch.zeros(3, 16, 12), 'xyz', 0, 0)
      near(wrapped, image.drawText(torch.zeros(3, 16, 12), 'xy\nz', 0, 0), 0)
      image.drawText(torch.zeros(3, 4, 4), 'far\noff\n\200', -3, -9, { size = 3, wrap = false })
      local x = torch.ByteTensor(3, 8, 6):zero()
      assert.equal(x, image.drawText(x, ' ', 0, 0, { bg = { 1, 2, 3 }, inplace = true }))
      assert.equal(3, x[3]:min())
   end)

   it('draws rectangles of any line', function()
      local x = torch.zeros(3, 9, 9)
      local y = image.drawRect(x, 3, 3, 7, 7, { lineWidth = 3, color = { 0, 255, 0 } })
      assert.equal(49 - 1, y[2]:sum()) -- 7 x 7 without the middle
      assert.equal(0, y[2][5][5])
      assert.equal(0, x:sum())
      assert.equal(9 + 8, image.drawRect(x, 1, 1, 20, 20)[1]:sum())
   end)

   it('says what is wrong', function()
      local x = torch.zeros(3, 4, 4)
      raises('wanted a picture of 3 x H x W, got a DoubleTensor of 4x4', image.drawText,
         torch.zeros(4, 4), 'a', 1, 1)
      raises('there is no argument colour; it takes bg, color', image.drawText, x, 'a', 1, 1,
         { colour = { 1, 1, 1 } })
      raises('wanted a table of red, green and blue', image.drawRect, x, 1, 1, 2, 2, { color = 5 })
      raises('wanted x1 <= x2', image.drawRect, x, 3, 3, 1, 1)
   end)
end)

describe('what terminals read', function()
   it('is base 64', function()
      for text, wanted in pairs { f = 'Zg==', fo = 'Zm8=', foo = 'Zm9v', foobar = 'Zm9vYmFy' } do
         assert.equal(wanted, encoders.base64(torch.ByteTensor(torch.ByteStorage():string(text))))
      end
   end)

   it('is a PNG in pieces, by kitty', function()
      local text = encoders.kitty(torch.ByteTensor(7000):random(0, 255))
      local sizes, first = {}, true
      for control, data in text:gmatch '\27_G([^;]*);(.-)\27\\' do
         assert.equal(first and 'f=100,a=T,m=1' or #sizes == 1 and 'm=1' or 'm=0', control)
         first = false
         sizes[#sizes + 1] = #data
      end
      assert.same({ 4096, 4096, 1144 }, sizes)
      assert.equal('\27_Gf=100,a=T,m=0;AQID\27\\\n',
         encoders.kitty(torch.ByteTensor { 1, 2, 3 }))
   end)

   it('is sixels that stand for the picture', function()
      -- Read back, as a terminal does.
      local height, width = 15, 20
      local x = torch.ByteTensor(height, width, 3):zero()
      x:select(3, 1):narrow(1, 4, 9):fill(255)
      x:select(3, 2):narrow(2, 6, 7):fill(255)
      local text = encoders.sixel(x)
      local palette, y = {}, torch.ByteTensor(18, width, 3):fill(7)
      for n, r, g, b in text:gmatch '#(%d+);2;(%d+);(%d+);(%d+)' do
         palette[n] = { r * 2.55, g * 2.55, b * 2.55 }
      end
      local top = 0
      for band in text:match '"[%d;]+(.*)\27\\':gsub('#%d+;2;[%d;]+', ''):gmatch '[^-]+' do
         for n, line in band:gmatch '#(%d+)([^#$]+)' do
            local at = 0
            for count, letter in line:gsub('([^!%d])', '!1%1'):gsub('(!%d+)!1', '%1')
               :gmatch '!(%d+)(.)' do
               for _ = 1, tonumber(count) do
                  at = at + 1
                  for row = 0, 5 do
                     if bit.band(bit.rshift(letter:byte() - 63, row), 1) == 1 then
                        y[{ top + row + 1, at, {} }]:copy(torch.Tensor(palette[n]):round())
                     end
                  end
               end
            end
         end
         top = top + 6
      end
      near(x, y:narrow(1, 1, height), 0)
   end)

   -- A palette, then bands of six rows: a letter is 63 and a bit for each row, from the top.
   it('is sixels byte by byte', function()
      local x = torch.ByteTensor(7, 4, 3):zero()
      x:select(3, 1):fill(255) -- red: number 5 * 36 of the palette
      local text = encoders.sixel(x)
      assert.equal('\27Pq"1;1;4;7#0;2;0;0;0#1;2;0;0;20', text:sub(1, 32))
      assert.truthy(text:find('#180;2;100;0;0#', 1, true))
      assert.equal('#215;2;100;100;100#180!4~-#180!4@-\27\\\n', text:match '#215.*$')
   end)

   it('is letters in colours', function()
      local x = torch.ByteTensor { { { 255, 0, 0 } }, { { 0, 255, 0 } }, { { 0, 0, 255 } } }
      assert.equal('\27[38;2;255;0;0;48;2;0;255;0m▀\27[0m\n\27[49;38;2;0;0;255m▀\27[0m\n',
         encoders.blocks(x, true, true))
      assert.equal('\27[48;5;196m  \27[0m\n\27[48;5;46m  \27[0m\n\27[48;5;21m  \27[0m\n',
         encoders.blocks(x, false, false))
   end)

   it('is what the terminal says that it knows', function()
      assert.equal('kitty', screen.understand '\27_Gi=31;OK\27\\\27[?62;c')
      assert.equal('sixel', screen.understand '\27[?62;4;22c')
      assert.equal('blocks', screen.understand '\27[?64;1;22c')
      assert.equal('blocks', screen.understand '')
   end)
end)

describe('image.display', function()
   terminal.it('shows half blocks on a terminal that does not answer', function()
      local t = terminal.open(("'%s' -e \"require 'image'; image.display{"
         .. "image = torch.rand(3, 4, 4), legend = 'below it'}\""):format(th),
         { environment = 'LC_ALL=C.UTF-8' })
      t:expect '▀▀▀▀'
      t:expect 'below it'
      t:close()
   end)

   it('writes a file where there is no terminal', function()
      with_file('.png', function(name)
         local x = torch.Tensor { { 0, 1 }, { 1, 0 } }
         local win = image.display { image = x, file = name, zoom = 2 }
         assert.equal(name, win.file)
         near(image.scale(x, 4, 4, 'simple'), image.load(name)[1], 0)
      end)
      local shell = require 'test.support.shell'
      local output = shell.run(("'%s' -e \"require 'image'; image.display(torch.rand(3, 4, 4))\"")
         :format(th))
      local name = output:match 'image.display: (%S+%.png)'
      assert.same({ 3, 4, 4 }, image.load(name):size():totable())
      os.remove(name)
   end)

   it('keeps pictures off the screen in windows', function()
      local win = image.window()
      assert.equal(win, image.display { image = torch.rand(2, 2), win = win, offscreen = true })
      assert.same({ 2, 2 }, win.image:size():totable())
      assert.equal('image.display: 2x2', tostring(win))
      raises('there is no window system', image.window, function() end)
      raises("'as' is 'x11', wanted one of", image.display,
         { image = torch.rand(2, 2), as = 'x11' })
      raises('there is no argument picture', image.display, { picture = 1 })
      raises('there is no image', image.display, { zoom = 2 })
   end)
end)
