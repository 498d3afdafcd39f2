--- How the convolutions of cudnn are asked for algorithms.
-- @module cudnn.modes
local M = {}

-- Give a class of convolutions the methods `fastest`, `setMode`, `resetMode` and
-- `resetWeightDescriptors`.
function M.install(cudnn, Convolution)
   --- Torch7's per-layer form of cudnn.fastest. Algorithms are the library's choice by shape here,
   -- so the wish is kept with the layer and passed on to the whole library.
   -- @bool[opt=true] on
   -- @return self
   function Convolution:fastest(on)
      self.fastest_mode = on == nil and true or on
      cudnn.fastest = self.fastest_mode
      return self
   end

   --- Ask for algorithms by cuDNN's numbers; kept for files and scripts, the library chooses.
   -- @return self
   function Convolution:setMode(fmode, bdmode, bwmode)
      self.fmode, self.bdmode, self.bwmode = fmode, bdmode, bwmode
      return self
   end

   --- Forget what setMode was given.
   -- @return self
   function Convolution:resetMode()
      self.fmode, self.bdmode, self.bwmode = nil, nil, nil
      return self
   end

   --- Torch7's call after a change of the weight's size. Nothing to do: each call looks at the
   -- weight.
   -- @return self
   function Convolution:resetWeightDescriptors()
      return self
   end
end

return M
