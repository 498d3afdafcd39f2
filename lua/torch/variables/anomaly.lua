--- Looking for what goes wrong: the first NaN, and changes in place, with lines of the script.
-- @module torch.variables.anomaly
local th = require 'torch.ffi'
local errors = require 'torch.errors'

local C, check, raise = th.C, th.check, th.raise

local F = {}

local watching = false

-- Called for each line that the interpreter comes to.
local function atLine(_, line)
   local info = debug.getinfo(3, 'S')
   if not errors.isLibrary(info.source) then
      C.TH_Anomaly_place(('%s:%d'):format(info.short_src, line))
   end
end

local before -- the script's own hook, and whether the compiler was on

local function switch(on)
   if on == watching then
      return
   end
   check(C.TH_Anomaly_watch(on))
   watching = on
   if on then
      before = { compiled = jit.status(), hook = { debug.gethook() } }
      local hook, mask = before.hook[1], before.hook[2] or ''
      local lines = hook and mask:find 'l' and hook
      jit.off()
      jit.flush() -- compiled code sees no lines
      debug.sethook(function(event, line)
         if event == 'line' then
            atLine(event, line)
            return lines and lines(event, line)
         end
         return hook(event, line)
      end, 'l' .. mask:gsub('l', ''), before.hook[3])
   else
      debug.sethook(unpack(before.hook, 1, 3))
      if before.compiled then
         jit.on()
      end
      before = nil
   end
end

-- What the docstring of torch.detectAnomaly says: seldom.lua.
function F.detectAnomaly(on, ...)
   local was = watching
   if type(on) == 'function' then
      switch(true)
      local function finish(ok, ...)
         switch(was)
         if not ok then
            error((...), 0)
         end
         return ...
      end
      return finish(pcall(on, ...))
   elseif type(on) ~= 'boolean' then
      raise('detectAnomaly: expected true, false or a function')
   end
   switch(on)
   return was
end

return F
