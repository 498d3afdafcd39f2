-- Derivatives of torch.conv2 and its kin: one plane, plane by plane, a bank of kernels; complete
-- and all overlaps; twice.
local torch = require 'torch'

local FORMS = { -- planes of the signal, of the kernel
   ['one plane'] = { {}, {} }, ['plane by plane'] = { { 2 }, { 2 } },
   ['a bank'] = { { 2 }, { 3, 2 } },
}

local function random(planes, sizes, dims)
   local all = { unpack(planes) }
   for d = 1, dims do
      all[#all + 1] = sizes[d]
   end
   return torch.randn(unpack(all)):requiresGrad()
end

describe('the derivative of', function()
   for _, name in ipairs { 'conv2', 'xcorr2', 'conv3', 'xcorr3' } do
      for form, planes in pairs(FORMS) do
         for _, overlaps in ipairs { 'V', 'F' } do
            it(('%s, %s, %s, agrees with differences'):format(name, form, overlaps), function()
               local dims = tonumber(name:sub(-1))
               local x = random(planes[1], { 4, 5, 3 }, dims)
               local kernel = random(planes[2], { 2, 3, 2 }, dims)
               local function f(a, b)
                  return torch[name](a, b, overlaps)
               end
               assert.is_true(torch.gradcheck(f, { x, kernel }))
               assert.is_true(torch.gradgradcheck(f, { x, kernel }))
            end)
         end
      end
   end
end)
