--- What nginx calls: a model behind HTTP.
--
--     POST /predict   a sample: {"input": [...]} or little-endian floats (application/octet-stream)
--     GET  /metrics   counters for Prometheus
--     GET  /health    "ok", and the model's shape

local ffi = require 'ffi'
local numbers = require 'numbers'
local json = require('cjson').new()
local torch = require 'torch'
local Batches = require 'batches'
local Model = require 'model'
local lfs = require 'lfs'

local worker = {}
local settings, batches, stamp
local flat -- floats of a JSON body, until a batch has them

-- What changes when a file is replaced or written.
local function stamped(path)
   local a = lfs.attributes(path)
   return a and ('%s %s %s'):format(a.ino, a.size, a.modification)
end

local function load()
   local before = stamped(settings.model)
   return Model.load(settings.model, settings.sizes, settings.most), before
end

--- In the master, before it forks: the workers share the pages of the model.
function worker.init(given)
   settings = given
   torch.setnumthreads(1)
   local model
   model, stamp = load()
   batches, flat = Batches.new(model), ffi.new('float[?]', model.elements)
   collectgarbage()
   collectgarbage()
end

local metrics = ngx.shared.metrics

-- A new file takes the old one's place once it is read and tried: what arrives meanwhile waits, and
-- a file that is no good changes nothing.
local function look()
   local now = stamped(settings.model) or 'gone'
   if now == stamp then
      return
   end
   stamp = now
   if now == 'gone' then
      ngx.log(ngx.ERR, 'the model stays as it was: this user cannot find ', settings.model)
      return
   end
   local ok, model, read = pcall(load)
   if ok then
      stamp = read
      batches:use(model)
      metrics:incr('swaps', 1, 0)
      io.stderr:write('model read again: ', settings.model, '\n')
   else
      metrics:incr('refused_models', 1, 0)
      ngx.log(ngx.ERR, 'the model stays as it was: ', model)
   end
end

--- In each worker, when it begins.
function worker.start()
   assert(ngx.timer.every(settings.look, function(premature)
      if not premature then
         look()
      end
   end))
end

local function answer(status, kind, body)
   ngx.status = status
   ngx.header.content_type = kind
   ngx.header.content_length = #body
   ngx.print(body)
end

local function refuse(status, text)
   metrics:incr('refused', 1, 0)
   answer(status, 'application/json', json.encode { error = text })
end

local function as_json(pointer, count)
   return '{"output":' .. numbers.write(pointer, count) .. '}'
end

local function as_bytes(pointer, count)
   return ffi.string(pointer, 4 * count)
end

-- Bounds of the histogram of seconds.
local BOUNDS = { 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1 }

local function observe(seconds, together)
   metrics:incr('requests', 1, 0)
   metrics:incr('seconds', seconds, 0)
   metrics:incr('shares', 1 / together, 0) -- sums up to batches
   for i = 1, #BOUNDS do
      if seconds <= BOUNDS[i] then
         metrics:incr(i, 1, 0)
         return
      end
   end
end

function worker.predict()
   if ngx.req.get_method() ~= 'POST' then
      ngx.header.allow = 'POST'
      return refuse(405, 'POST is wanted')
   end
   local begun = ngx.now()
   ngx.req.read_body()
   local body = ngx.req.get_body_data()
   if not body then
      return refuse(400, 'the body is empty')
   end
   local binary = (ngx.var.content_type or ''):match '^[^;%s]*' == 'application/octet-stream'
   local sample, read, count = body, as_bytes, nil
   if not binary then
      sample, read, count = flat, as_json, numbers.read(body, flat, batches.model.elements)
   end
   if not (binary or count) then -- in another form than most have
      local fine, content = pcall(json.decode, body)
      if not fine or type(content) ~= 'table' then
         return refuse(400, 'the body is no JSON object: ' .. (fine and type(content) or content))
      end
      sample = content.input
      if type(sample) ~= 'table' then
         return refuse(400, '{"input": [...]} is wanted, a list of numbers')
      end
   end
   local ok, output, more = pcall(batches.add, batches, sample, read, count)
   if not ok then
      ngx.log(ngx.ERR, output)
      metrics:incr('failed', 1, 0)
      local text = json.encode { error = 'the model failed: see the log' }
      return answer(500, 'application/json', text)
   elseif not output then
      return refuse(400, more)
   end
   ngx.update_time()
   observe(ngx.now() - begun, more)
   answer(200, binary and 'application/octet-stream' or 'application/json', output)
end

local COUNTERS = {
   { 'requests', 'luatorch_requests_total', 'samples computed' },
   { 'shares', 'luatorch_batches_total', 'batches they were computed in' },
   { 'refused', 'luatorch_refused_total', 'requests that asked for what cannot be' },
   { 'failed', 'luatorch_failed_total', 'requests that the model failed at' },
   { 'swaps', 'luatorch_model_swaps_total', 'models read, by workers' },
   { 'refused_models', 'luatorch_refused_models_total', 'model files that were no good' },
}

function worker.metrics()
   local lines = {}
   local function add(format, ...)
      lines[#lines + 1] = format:format(...)
   end
   for _, row in ipairs(COUNTERS) do
      local key, name, help = unpack(row)
      add('# HELP %s %s\n# TYPE %s counter', name, help, name)
      add('%s %.10g', name, metrics:get(key) or 0)
   end
   local name, sum = 'luatorch_request_seconds', 0
   add('# HELP %s from the headers to the answer\n# TYPE %s histogram', name, name)
   for i, bound in ipairs(BOUNDS) do
      sum = sum + (metrics:get(i) or 0)
      add('%s_bucket{le="%g"} %d', name, bound, sum)
   end
   local requests = metrics:get 'requests' or 0
   add('%s_bucket{le="+Inf"} %d', name, requests)
   add('%s_sum %.10g\n%s_count %d\n', name, metrics:get 'seconds' or 0, name, requests)
   answer(200, 'text/plain; version=0.0.4', table.concat(lines, '\n'))
end

function worker.health()
   answer(200, 'text/plain', ('ok %s -> %d\n'):format(batches.model:shape(), batches.model.results))
end

return worker
