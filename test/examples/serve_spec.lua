local ffi = require 'ffi'
local json = require 'cjson'
local nn = require 'nn'
local paths = require 'paths'
local torch = require 'torch'
local http = require 'test.support.http'
local shell = require 'test.support.shell'
local support = require 'test.examples.support'

local SIZES = { 2, 3 }

-- Outputs are known: the sum of the six numbers, and `bias`.
local function net(bias)
   local linear = nn.Linear(6, 2)
   linear.weight:zero()
   linear.weight[1]:fill(1)
   linear.bias[1], linear.bias[2] = 0, bias
   return nn.Sequential():add(nn.View(6):setNumInputDims(2)):add(linear):float()
end

local function bytes(...)
   local list = { ... }
   return ffi.string(ffi.new('float[?]', #list, list), 4 * #list)
end

local function floats(text)
   local list, pointer = {}, ffi.cast('const float *', text)
   for i = 1, #text / 4 do
      list[i] = pointer[i - 1]
   end
   return list
end

-- A new file in the place of the old one, at once.
local function replace(path, what)
   if type(what) == 'string' then
      support.write(path .. '.new', what)
   else
      torch.save(path .. '.new', what)
   end
   assert(os.rename(path .. '.new', path))
end

describe('examples/serve/model.lua', function()
   local Model = dofile 'examples/serve/model.lua'
   local path

   setup(function()
      path = os.tmpname()
   end)
   teardown(function()
      os.remove(path)
   end)

   it('takes numbers in lists and bytes', function()
      torch.save(path, net(5))
      local model = Model.load(path, SIZES, 4)
      local batch = model:batch()
      model:put(batch, { { 1, 2, 3 }, { 4, 5, 6 } }, 1)
      model:put(batch, { 1, 1, 1, 1, 1, 1 }, 2)
      model:put(batch, bytes(2, 0, 0, 0, 0, 0.5), 3)
      model:put(batch, ffi.new('float[6]', 1, 2), 4, 6)
      assert.same({ { 21, 5 }, { 6, 5 }, { 2.5, 5 }, { 3, 5 } },
         model:run(batch.input, 4):totable())
      assert.equal(2, model.results)
   end)

   it('says what is wrong with a sample', function()
      torch.save(path, net(5))
      local model = Model.load(path, SIZES, 4)
      local batch = model:batch()
      batch.input:fill(7)
      for text, sample in pairs {
         ['"input" holds 3 numbers, 6 (2x3) are wanted'] = { 1, 2, 3 },
         ['"input" holds 7 numbers, 6 (2x3) are wanted'] = { 1, 2, 3, 4, 5, 6, 7 },
         ['"input" holds a string, numbers and lists of them are wanted'] = { 'a' },
         ['the body holds 5 bytes, 6 floats of 4 bytes (2x3) are 24'] = '12345',
      } do
         assert.has_error(function()
            model:put(batch, sample, 1)
         end, text)
      end
      assert.has_error(function()
         model:put(batch, ffi.new 'float[6]', 1, 5)
      end, '"input" holds 5 numbers, 6 (2x3) are wanted')
      assert.equal(7, batch.input[2]:min()) -- the seventh number went nowhere
   end)

   it('refuses what is no model for the shape', function()
      torch.save(path, torch.Tensor(3))
      assert.has_error(function()
         Model.load(path, SIZES, 4)
      end, path .. ' holds a torch.DoubleTensor, a module (nn.Module) is wanted')
      torch.save(path, net(1))
      local ok, problem = pcall(Model.load, path, { 7 }, 4)
      assert.is_false(ok)
      assert.matches('View', problem)
   end)
end)

describe('examples/serve/numbers.lua', function()
   local numbers = dofile 'examples/serve/numbers.lua'

   local function read(text, most)
      local into = ffi.new 'double[8]'
      local count = numbers.read(text, into, most or 8)
      local list = {}
      for i = 1, math.min(count or 0, 8) do
         list[i] = into[i - 1]
      end
      return list, count
   end

   it('reads numbers as tonumber does, to the last bit', function()
      local generator = torch.Generator()
      torch.manualSeed(generator, 5)
      for _ = 1, 2000 do
         local texts, wanted = {}, {}
         for i = 1, 3 do
            local format = ('%%.%d%s'):format(torch.random(generator, 1, 12),
               torch.random(generator, 2) == 1 and 'g' or 'e')
            local x = torch.normal(generator) * 10 ^ torch.random(generator, -4, 9)
            texts[i] = format:format(x)
            wanted[i] = tonumber(texts[i])
         end
         local text = '{ "input" :[' .. table.concat(texts, ' ,\n') .. ']}'
         local list, count = read(text)
         assert.equal(3, count, text)
         assert.same(wanted, list, text)
      end
   end)

   it('counts numbers that find no room, and writes none of them', function()
      local list, count = read('{"input": [1, 2, 3, 4]}', 2)
      assert.equal(4, count)
      assert.same({ 1, 2, 0, 0 }, list)
   end)

   it('leaves other texts, and longer numbers, to a parser of all JSON', function()
      for _, text in ipairs { '', '{}', '{"input": []}', '{"input": [[1]]}', '{"input": [1,]}',
         '{"input": [01]}', '{"input": [1.]}', '{"input": [.5]}', '{"input": [1e]}',
         '{"input": [+1]}', '{"input": [1 2]}', '{"input": [1]', '{"input": [1]} x',
         '{"input": [null]}', '{"input": [0.12345678901234567]}', '{"input": [1e40]}' } do
         assert.is_nil((select(2, read(text))), text)
      end
   end)

   it('writes floats that are read again as the same, and null for what JSON has not', function()
      local x = torch.FloatTensor(500):normal():cmul(torch.FloatTensor(500):uniform(-9, 9):exp())
      local again = torch.FloatTensor(json.decode(numbers.write(x:data(), 500)))
      assert.same(x:totable(), again:totable())
      x = torch.FloatTensor { 1 / 0, 0.5, 0 / 0, -1 / 0 }
      assert.equal('[null,0.5,null,null]', numbers.write(x:data(), 4))
      assert.equal('[2]', numbers.write(torch.FloatTensor { 2 }:data(), 1)) -- nothing of before
   end)
end)

describe('examples/serve', function()
   local folder, model, port, process, log

   local function metric(name)
      local client = http.connect(port)
      local _, body = client:request('GET', '/metrics')
      client:close()
      return tonumber(body:match('\n' .. name .. ' (%S+)'))
   end

   local function wait(what)
      for _ = 1, 600 do
         if what() then
            return
         end
         shell.run 'sleep 0.1'
      end
      error('a minute is over: ' .. support.read(log), 2)
   end

   setup(function()
      folder = support.folder()
      model, log, port = folder .. '/model.t7', folder .. '/log', http.free_port()
      torch.save(model, net(5))
      local th = assert(os.getenv 'TH_EXECUTABLE')
      local arguments = '--input 2x3 --look 0.1 --body 4k --model %s --port %d > %s 2>&1'
      support.shell(('%s examples/serve/serve.lua %s & echo $! > %s/pid'):format(support.quoted(th),
         arguments:format(model, port, log), folder))
      process = support.read(folder .. '/pid'):match '%d+'
      wait(function()
         local client = http.connect(port)
         if client then
            client:close()
         end
         return client or not paths.filep('/proc/' .. process .. '/stat')
      end)
   end)

   teardown(function()
      shell.run('kill ' .. process .. ' 2>&1')
      support.remove(folder)
   end)

   local function serves(name, f)
      it(name, function()
         local missing = support.read(log):match 'apt install [^\n]*'
         if missing then
            pending('no nginx: ' .. missing)
            return
         end
         local client = assert(http.connect(port), support.read(log))
         f(client)
         client:close()
      end)
   end

   serves('answers in the way it was asked', function(client)
      local status, body = client:request('POST', '/predict', '{"input": [[1, 2, 3], [4, 5, 6.5]]}')
      assert.equal(200, status, body)
      assert.same({ output = { 21.5, 5 } }, json.decode(body))
      local kind = 'application/octet-stream'
      local headers
      status, body, headers = client:request('POST', '/predict', bytes(1, 0, 0, 0, 0, -3), kind)
      assert.equal(200, status, body)
      assert.equal(kind, headers['content-type'])
      assert.same({ -2, 5 }, floats(body))
      status, body = client:request('POST', '/predict', bytes(1, 0, 0, 0, 0, -3), kind .. '; x=1')
      assert.equal(200, status, body)
      assert.same({ -2, 5 }, floats(body))
      status, body = client:request('GET', '/health')
      assert.equal(200, status)
      assert.equal('ok 2x3 -> 2\n', body)
   end)

   serves('refuses what is no sample, and goes on', function(client)
      local function refused(text, ...)
         local status, body = client:request('POST', '/predict', ...)
         assert.equal(400, status, body)
         assert.equal(text, json.decode(body).error)
      end
      refused('"input" holds 1 numbers, 6 (2x3) are wanted', '{"input": [1]}')
      refused('{"input": [...]} is wanted, a list of numbers', '{"input": "x"}')
      refused('{"input": [...]} is wanted, a list of numbers', '[1, 2]')
      refused('the body is empty', '')
      refused('the body holds 3 bytes, 6 floats of 4 bytes (2x3) are 24', 'abc',
         'application/octet-stream')
      assert.equal(405, (client:request('GET', '/predict')))
      local status, body = client:request('POST', '/predict', '{"input": [1,')
      assert.equal(400, status)
      assert.matches('the body is no JSON object: ', json.decode(body).error, 1, true)
      local other = http.connect(port)
      assert.equal(413, (other:request('POST', '/predict', ('x'):rep(5000))))
      other:close()
      assert.equal(200, (client:request('POST', '/predict', '{"input": [1, 2, 3, 4, 5, 6]}')))
   end)

   serves('computes together what arrives together', function()
      local before, batches = metric 'luatorch_requests_total', metric 'luatorch_batches_total'
      local clients = {}
      for i = 1, 100 do
         clients[i] = assert(http.connect(port))
      end
      for round = 1, 20 do
         for i, client in ipairs(clients) do
            client:send('POST', '/predict', bytes(i, round, 0, 0, 0, 0), 'application/octet-stream')
         end
         for i, client in ipairs(clients) do
            local status, body = client:receive()
            assert.equal(200, status)
            assert.same({ i + round, 5 }, floats(body)) -- its own row
         end
      end
      for _, client in ipairs(clients) do
         client:close()
      end
      assert.equal(2000, metric 'luatorch_requests_total' - before)
      assert.is_true(metric 'luatorch_batches_total' - batches < 1900)
   end)

   serves('changes its model without losing a request', function(client)
      local seen = {}
      for bias = 6, 9 do
         replace(model, net(bias))
         wait(function()
            local status, body = client:request('POST', '/predict', '{"input": [1, 1, 1, 1, 1, 1]}')
            assert.equal(200, status, body)
            local output = json.decode(body).output
            assert.equal(6, output[1])
            seen[#seen + 1] = output[2]
            return output[2] == bias
         end)
      end
      for i = 2, #seen do
         assert.is_true(seen[i] >= seen[i - 1])
      end
   end)

   serves('keeps its model when the new file is no good', function(client)
      local refusals = metric 'luatorch_refused_models_total' or 0
      for _, what in ipairs { 'garbage', torch.Tensor(3), nn.Linear(7, 2) } do
         replace(model, what)
         wait(function()
            return metric 'luatorch_refused_models_total' > refusals
         end)
         refusals = metric 'luatorch_refused_models_total'
         assert.equal(200, (client:request('POST', '/predict', '{"input": [1, 2, 3, 4, 5, 6]}')))
      end
      assert.matches('the model stays as it was', support.read(log), 1, true)
   end)

   it('says which package is missing', function()
      local place = os.tmpname()
      os.remove(place)
      paths.mkdir(place)
      local function run()
         return support.run('serve/serve.lua',
            ('--nginx %s/nginx --model %s'):format(place, model))
      end
      local output, status = run()
      assert.equal(1, status)
      assert.matches('there is no ' .. place .. '/nginx: apt install nginx-light', output, 1, true)
      io.open(place .. '/nginx', 'w'):close() -- a program without modules beside it
      output, status = run()
      assert.equal(1, status)
      assert.matches('apt install libnginx%-mod%-http%-lua', output)
      paths.rmall(place, 'yes')
   end)
end)
