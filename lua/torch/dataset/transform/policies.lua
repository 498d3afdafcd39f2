--- The policies of AutoAugment: tables 7 (CIFAR-10), 8 (SVHN) and 9 (ImageNet) of Cubuk et al.,
-- "AutoAugment: learning augmentation strategies from data", 2019. Each line is a policy: the first
-- operation, its probability and its magnitude, then the second's. Operations without a strength
-- have no magnitude.
-- @module torch.dataset.transform.policies

local TEXT = {
   cifar10 = [[
      invert 0.1 - contrast 0.2 6
      rotate 0.7 2 translateX 0.3 9
      sharpness 0.8 1 sharpness 0.9 3
      shearY 0.5 8 translateY 0.7 9
      autocontrast 0.5 - equalize 0.9 -
      shearY 0.2 7 posterize 0.3 7
      color 0.4 3 brightness 0.6 7
      sharpness 0.3 9 brightness 0.7 9
      equalize 0.6 - equalize 0.5 -
      contrast 0.6 7 sharpness 0.6 5
      color 0.7 7 translateX 0.5 8
      equalize 0.3 - autocontrast 0.4 -
      translateY 0.4 3 sharpness 0.2 6
      brightness 0.9 6 color 0.2 8
      solarize 0.5 2 invert 0 -
      equalize 0.2 - autocontrast 0.6 -
      equalize 0.2 - equalize 0.6 -
      color 0.9 9 equalize 0.6 -
      autocontrast 0.8 - solarize 0.2 8
      brightness 0.1 3 color 0.7 0
      solarize 0.4 5 autocontrast 0.9 -
      translateY 0.9 9 translateY 0.7 9
      autocontrast 0.9 - solarize 0.8 3
      equalize 0.8 - invert 0.1 -
      translateY 0.7 9 autocontrast 0.9 -
   ]],
   svhn = [[
      shearX 0.9 4 invert 0.2 -
      shearY 0.9 8 invert 0.7 -
      equalize 0.6 - solarize 0.6 6
      invert 0.9 - equalize 0.6 -
      equalize 0.6 - rotate 0.9 3
      shearX 0.9 4 autocontrast 0.8 -
      shearY 0.9 8 invert 0.4 -
      shearY 0.9 5 solarize 0.2 6
      invert 0.9 - autocontrast 0.8 -
      equalize 0.6 - rotate 0.9 3
      shearX 0.9 4 solarize 0.3 3
      shearY 0.8 8 invert 0.7 -
      equalize 0.9 - translateY 0.6 6
      invert 0.9 - equalize 0.6 -
      contrast 0.3 3 rotate 0.8 4
      invert 0.8 - translateY 0 2
      shearY 0.7 6 solarize 0.4 8
      invert 0.6 - rotate 0.8 4
      shearY 0.3 7 translateX 0.9 3
      shearX 0.1 6 invert 0.6 -
      solarize 0.7 2 translateY 0.6 7
      shearY 0.8 4 invert 0.8 -
      shearX 0.7 9 translateY 0.8 3
      shearY 0.8 5 autocontrast 0.7 -
      shearX 0.7 2 invert 0.1 -
   ]],
   imagenet = [[
      posterize 0.4 8 rotate 0.6 9
      solarize 0.6 5 autocontrast 0.6 -
      equalize 0.8 - equalize 0.6 -
      posterize 0.6 7 posterize 0.6 6
      equalize 0.4 - solarize 0.2 4
      equalize 0.4 - rotate 0.8 8
      solarize 0.6 3 equalize 0.6 -
      posterize 0.8 5 equalize 1 -
      rotate 0.2 3 solarize 0.6 8
      equalize 0.6 - posterize 0.4 6
      rotate 0.8 8 color 0.4 0
      rotate 0.4 9 equalize 0.6 -
      equalize 0 - equalize 0.8 -
      invert 0.6 - equalize 1 -
      color 0.6 4 contrast 1 8
      rotate 0.8 8 color 1 2
      color 0.8 8 solarize 0.8 7
      sharpness 0.4 7 invert 0.6 -
      shearX 0.6 5 equalize 1 -
      color 0.4 0 equalize 0.6 -
      equalize 0.4 - solarize 0.2 4
      solarize 0.6 5 autocontrast 0.6 -
      invert 0.6 - equalize 1 -
      color 0.6 4 contrast 1 8
      equalize 0.8 - equalize 0.6 -
   ]],
}

local M = {}

for name, text in pairs(TEXT) do
   local list = {}
   for line in text:gmatch '[^\n]*%a[^\n]*' do
      local sequence = {}
      for operation, probability, magnitude in line:gmatch '(%S+) (%S+) (%S+)' do
         sequence[#sequence + 1] = { operation, tonumber(probability), tonumber(magnitude) }
      end
      list[#list + 1] = sequence
   end
   M[name] = list
end

return M
