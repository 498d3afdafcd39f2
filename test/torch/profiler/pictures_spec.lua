-- The files that a profile writes, read back by other programs' rules.
local torch = require 'torch'
local cjson = require 'cjson'
local clock = require 'torch.clock'
local nn = require 'nn'
local flame = require 'torch.profiler.flame'
local shell = require 'test.support.shell'
local raises = require 'test.support.raises'
local xml = require 'test.support.documents.xml'

local function spans(json, category)
   local found = {}
   for _, event in ipairs(cjson.decode(json).traceEvents) do
      if event.ph == 'X' and (category == nil or event.cat == category) then
         found[#found + 1] = event
      end
   end
   return found
end

local STRANGE = 'a "range" of <b> & \\c\n'

describe('what a profile is written as', function()
   local p, net
   setup(function()
      net = nn.Sequential():add(nn.Linear(20, 30)):add(nn.Tanh()):add(nn.Linear(30, 5))
      local x = torch.randn(16, 20)
      p = torch.profiler(function()
         for _ = 1, 3 do
            net:forward(x)
            net:backward(x, net.output)
         end
         torch.profiler.range(STRANGE, clock.sleep, 0.02)
      end)
   end)

   it('is a trace whose spans lie in one another', function()
      local list = spans(p:trace())
      local calls = 0
      for _, r in ipairs(p:rows 'operation') do
         calls = calls + r.calls
      end
      assert.equal(calls, #spans(p:trace(), 'operation'))
      assert.equal(12, #spans(p:trace(), 'forward')) -- the net and its three layers, three times
      assert.equal(12, #spans(p:trace(), 'backward'))
      local open = {} -- ends of those that have begun
      local LAST = 1e-3 -- digit, in us
      for _, event in ipairs(list) do
         while #open > 0 and open[#open] <= event.ts + LAST do
            open[#open] = nil
         end
         local finish = event.ts + event.dur
         assert.truthy(#open == 0 or finish <= open[#open] + 2 * LAST, event.name)
         open[#open + 1] = finish
         assert.truthy(event.ts >= 0 and finish <= p.seconds * 1e6)
      end
      local range = spans(p:trace(), 'range')[1]
      assert.equal(STRANGE, range.name)
      assert.truthy(range.dur >= 20000)
      assert.matches('pictures_spec.lua:%d+$', range.args.line)
   end)

   it('is a flame graph: SVG, boxes within those below them, widths as times', function()
      local picture = xml.parse(p:flameGraph())
      assert.equal('svg', picture.name)
      assert.equal('http://www.w3.org/2000/svg', picture.attributes.xmlns)
      local boxes = {}
      for _, box in ipairs(xml.all(picture, 'rect')) do
         if box[1] then -- has a title
            local a = box.attributes
            boxes[#boxes + 1] = {
               title = box[1].text, x = tonumber(a.x), y = tonumber(a.y), width = tonumber(a.width),
            }
         end
      end
      assert.matches('^all: ', boxes[1].title)
      local sleeping
      for i = 2, #boxes do
         local box, below = boxes[i], nil
         for k = i - 1, 1, -1 do -- drawn from below
            if boxes[k].y > box.y then
               below = boxes[k]
               break
            end
         end
         assert.truthy(box.x >= below.x - 0.02)
         assert.truthy(box.x + box.width <= below.x + below.width + 0.4, box.title)
         sleeping = box.title:find('a "range" of <b>', 1, true) and box or sleeping
      end
      local slept = p:rows('range')[1].total
      assert.near(slept / p.seconds * 1180, sleeping.width, 1)
   end)

   it('draws operations in layers, and layers on lines', function()
      local tree = flame.tree(p)
      local line = tree.order[1]
      assert.equal('line', line.kind)
      assert.same({ 'net forward', 3 }, { line.order[1].name, line.order[1].calls })
      local layer = line.order[1].order[1]
      assert.same({ 'net.1 forward', 'linear' }, { layer.name, layer.order[1].name })
      assert.truthy(layer.time >= layer.order[1].time)
   end)

   it('is a graph of memory: SVG, one area for each line', function()
      local picture = xml.parse(p:memoryGraph())
      local areas = xml.all(picture, 'polygon')
      assert.truthy(#areas >= 2)
      for _, area in ipairs(areas) do
         assert.equal(1, #xml.all(area, 'title'))
         local n = 0
         for x, y in area.attributes.points:gmatch '([%d.]+),([%d.]+)' do
            n = n + 1
            assert.truthy(tonumber(x) <= 1200 and tonumber(y) <= 420)
         end
         assert.equal(4 * 800, n)
      end
   end)

   it('goes to files, as a whole or not at all', function()
      shell.with_folder(function(folder)
         local path = folder .. '/trace.json'
         local json = p:trace(path)
         assert.equal(json, shell.read(path))
         p:flameGraph(folder .. '/flame.svg')
         xml.parse(shell.read(folder .. '/flame.svg'))
         raises('flameGraph', p.flameGraph, p, folder .. '/none/flame.svg')
         raises('trace: expected a file name, got a number', p.trace, p, 3)
      end)
   end)
end)
