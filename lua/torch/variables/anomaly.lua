--- Looking for what goes wrong: the first NaN, and changes in place, with lines of the script.
-- @module torch.variables.anomaly
local th = require 'torch.ffi'
local errors = require 'torch.errors'

local C, check, raise = th.C, th.check, th.raise

local F = {}

local watching = false
local compiling -- whether the compiler was on before

-- Called for each line that the interpreter comes to.
local function atLine(_, line)
   local info = debug.getinfo(2, 'S')
   if not errors.isLibrary(info.source) then
      C.TH_Anomaly_place(('%s:%d'):format(info.short_src, line))
   end
end

local function switch(on)
   if on == watching then
      return
   end
   check(C.TH_Anomaly_watch(on))
   watching = on
   if on then
      compiling = jit.status()
      jit.off()
      jit.flush() -- compiled code sees no lines
      debug.sethook(atLine, 'l')
   else
      debug.sethook()
      if compiling then
         jit.on()
      end
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
