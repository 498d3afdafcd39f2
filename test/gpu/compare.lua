--- Whether what a device gave is what the CPU gave.
local torch = require 'torch'

--- Raise an error that says where two numbers, or two tensors, differ by more than the tolerance,
-- which is relative above 1.
return function(name, expected, found, tolerance)
   if type(expected) == 'number' then
      local difference = math.abs(found - expected) / math.max(1, math.abs(expected))
      if not (difference <= tolerance or found == expected) then
         error(('%s: %.9g on the device, %.9g on the CPU'):format(name, found, expected), 0)
      end
      return
   end
   local e, f = expected:double(), found:double()
   if e:dim() == 0 and f:dim() == 0 then
      return
   end
   if not e:isSameSizeAs(f) then
      error(('%s: sizes differ'):format(name), 0)
   end
   e, f = e:contiguous():view(-1), f:contiguous():view(-1)
   local off = torch.abs(e - f):cdiv(torch.abs(e):cmax(1))
   local worst, at = off:max(1)
   local within = worst[1] <= tolerance -- a NaN is not
   if not within then
      error(('%s: element %d is %.9g on the device, %.9g on the CPU'):format(
         name, at[1], f[at[1]], e[at[1]]), 0)
   end
end
