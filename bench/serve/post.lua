-- luacheck: globals wrk done
-- wrk's script: sends the file $BODY as $KIND again and again, and prints a line for run.sh.
wrk.method = 'POST'
local file = assert(io.open(os.getenv 'BODY', 'rb'))
wrk.body = file:read '*a'
file:close()
wrk.headers['Content-Type'] = os.getenv 'KIND'

function done(summary, latency)
   local errors = summary.errors
   print(('row %d %.3f %.3f %d %d'):format(summary.requests / summary.duration * 1e6,
      latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
      errors.connect + errors.read + errors.write + errors.status + errors.timeout,
      summary.requests))
end
