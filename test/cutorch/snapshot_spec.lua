-- The picture of a pool, read back from the page.
local cuda = require 'test.support.cuda'
local json = require 'cutorch.json'
local snapshot = require 'cutorch.snapshot'

local function unescape(text)
   return (text:gsub('&(%a+);', { amp = '&', lt = '<', gt = '>', quot = '"' }))
end

--- Blocks as the picture shows them: { address, state, bytes, title, width }, where width is that
-- of all its rectangles; and the bytes of a full row.
local function blocksOf(page)
   local blocks = {}
   local pattern = '<g class="(%a+)" data%-address="(0x%x+)" data%-bytes="(%d+)">'
      .. '<title>(.-)</title>(.-)</g>'
   for state, address, bytes, title, rectangles in page:gmatch(pattern) do
      local width = 0
      for x, w in rectangles:gmatch '<rect x="([%d.]+)" y="%d+" width="([%d.]+)"' do
         assert.is_true(x + w < 1030.02, x + w) -- both are rounded
         width = width + w
      end
      blocks[#blocks + 1] = { state = state, address = address, bytes = tonumber(bytes),
         title = unescape(title), width = width }
   end
   local number, unit = page:match 'A full row is ([%d.]+) (%a+)%.'
   local units = { KiB = 2 ^ 10, MiB = 2 ^ 20, GiB = 2 ^ 30 }
   return blocks, number * units[unit]
end

local COUNTER = '{"current":%d,"peak":%d,"total":0}'

--- What the allocator would write.
local function describePool(segments, live)
   local statistics = {}
   for _, name in ipairs { 'allocated', 'reserved', 'inactive', 'blocks' } do
      statistics[#statistics + 1] = ('"%s":'):format(name) .. COUNTER:format(live, live)
   end
   return ('{"statistics":{%s,"limit":0},"segments":[%s],"history":[]}'):format(
      table.concat(statistics, ','), table.concat(segments, ','))
end

local function segment(address, blocks)
   return ('{"address":"%s","bytes":0,"stream":"0x0","kind":"large","paged":1,"blocks":[%s]}')
      :format(address, table.concat(blocks, ','))
end

describe('a snapshot as a page', function()
   it('shows every live block with its size, over as many rows as it needs', function()
      local text = describePool({
         segment('0x1000', {
            '{"address":"0x1000","bytes":314572800,"state":"live","requested":314572000}',
            '{"address":"0x2000","bytes":1048576,"state":"free"}',
            '{"address":"0x3000","bytes":10485760,"state":"unmapped"}',
            '{"address":"0x4000","bytes":2097152,"state":"pending"}',
            '{"address":"0x5000","bytes":1099511627776,"state":"unmapped"}',
         }),
         segment('0x9000', {
            '{"address":"0x9000","bytes":512,"state":"live","requested":1,"line":"a.lua:1"}',
         }),
      }, 314573312)
      local blocks, rowBytes = blocksOf(snapshot.page(text))
      assert.equal(5, #blocks) -- without the addresses behind the last page
      local expected = { 314572800, 1048576, 10485760, 2097152, 512 }
      for i, block in ipairs(blocks) do
         assert.equal(expected[i], block.bytes)
         -- 850 pixels are a full row; nothing is narrower than half a pixel.
         local width = math.max(expected[i] / rowBytes * 850, 0.5)
         assert.near(width, block.width, 0.1 + width / 100)
      end
      assert.equal('live 300.00 MiB, asked 300.00 MiB, line not recorded; 0x1000', blocks[1].title)
      assert.equal('live 512 B, asked 1 B, a.lua:1; 0x9000', blocks[5].title)
   end)

   it('has what is smaller than a line within its row, at the end too', function()
      local blocks, rowBytes = blocksOf(snapshot.page(describePool({ segment('0x1', {
         '{"address":"0x1","bytes":2096640,"state":"live","requested":1}',
         '{"address":"0x2","bytes":512,"state":"live","requested":1}',
      }) }, 2 ^ 21)))
      assert.equal(2 ^ 21, rowBytes)
      assert.equal(0.5, blocks[2].width)
   end)

   it('adds up by line, the largest first', function()
      local blocks = {}
      for i = 1, 6 do
         local line = i % 3 == 0 and 'b.lua:2' or 'a.lua:1'
         blocks[i] = ('{"address":"0x%d","bytes":1024,"state":"live","requested":1,"line":"%s"}')
            :format(i, line)
      end
      local page = snapshot.page(describePool({ segment('0x1', blocks) }, 6144))
      local lines = page:match '<table id="lines">(.-)</table>'
      local order = {}
      for bytes, count in lines:gmatch '>([%d.]+ KiB)</td><td>(%d+ blocks)' do
         order[#order + 1] = bytes .. ' ' .. count
      end
      assert.same({ '4.00 KiB 4 blocks', '2.00 KiB 2 blocks' }, order)
   end)

   it('is not broken by what a line is called, and runs no script', function()
      local line = [[<\/script>%1\"&\u0001]]
      local page = snapshot.page(describePool({ segment('0x1', {
         '{"address":"0x1","bytes":1,"state":"live","requested":1,"line":"' .. line .. '"}',
      }) }, 1))
      assert.is_nil(page:find('<script', 1, true))
      assert.is_nil(page:find('</script', 1, true))
      assert.equal('live 1 B, asked 1 B, </script>%1"&?; 0x1', blocksOf(page)[1].title)
   end)

   it('of a device shows what is live there #cuda', function()
      if not cuda.available then
         return
      end
      local cutorch = require 'cutorch'
      local torch = require 'torch'
      cutorch.keepHistory(100)
      local tensors = {}
      for i = 1, 20 do
         tensors[i] = torch.CudaTensor(i * 54321)
      end
      local name = os.tmpname() .. '.html'
      local text = cutorch.memorySnapshot(1, name)
      cutorch.keepHistory(0)
      local file = io.open(name)
      local page = file:read '*a'
      file:close()
      os.remove(name)
      local shown = {}
      for _, block in ipairs(blocksOf(page)) do
         shown[block.address] = block
      end
      local live = 0
      local told = json.read(text)
      for _, each in ipairs(told.segments) do
         for _, block in ipairs(each.blocks) do
            if block.state == 'live' then
               live = live + block.bytes
               assert.equal('live', shown[block.address].state)
               assert.equal(block.bytes, shown[block.address].bytes)
            end
         end
      end
      assert.equal(told.statistics.allocated.current, live)
      assert.matches('snapshot_spec.lua:%d+', page)
      assert.equal(20, #tensors)
   end)
end)

describe('the reader of JSON', function()
   it('reads what the allocator writes', function()
      assert.same({ a = { 1, -2.5, 'x"\\\n', true }, b = {} },
         json.read ' { "a" : [1,-2.5,"x\\"\\\\\\n",true], "b":{} } ')
   end)

   it('says where a text is none', function()
      for _, text in ipairs { '', '[1 2]', '{"a" 1}', '"x', '[1]x', 'nonsense' } do
         assert.matches('no JSON at byte', select(2, pcall(json.read, text)), 1, true)
      end
   end)
end)
