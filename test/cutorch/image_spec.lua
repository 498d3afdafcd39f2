-- Pictures on devices: written and shown by way of the CPU, refused where image computes.
local cuda = require 'test.support.cuda'
if not cuda.available then
   return
end

local torch = require 'torch'
local image = require 'image'
local raises = require 'test.support.raises'

describe('image, on tensors of a device,', function()
   local x = torch.CudaTensor(3, 8, 6):uniform()

   it('says to copy them', function()
      for name, more in pairs { hflip = {}, rgb2hsv = {}, scale = { 4, 4 }, rotate = { 1 },
         erode = {}, warp = { torch.zeros(2, 8, 6) }, polar = {} } do
         local message = raises('a picture is a tensor of the CPU, got a CudaTensor; copy it, as '
            .. 'in x:float()', image[name], x, unpack(more))
         assert.matches('image.' .. name:gsub('hflip', 'flip'), message, 1, true)
      end
   end)

   it('writes and shows them', function()
      local bytes = image.compressPNG(x)
      assert.equal(0, (image.decompressPNG(bytes, 3, 'byte') - image.decompressPNG(
         image.compressPNG(x:float()), 3, 'byte')):sum())
      local win = image.display { image = x, offscreen = true }
      assert.equal('torch.FloatTensor', win.image:type())
   end)

   it('cuts and moves them', function()
      assert.equal(x[2][3][4], image.crop(x, 3, 2, 5, 5)[2][1][1])
      assert.equal(x[2][3][4], image.translate(x, 1, 1)[2][4][5])
   end)
end)
