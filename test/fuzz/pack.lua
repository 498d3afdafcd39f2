-- th test/fuzz/pack.lua TARGET FOLDER: the inputs of a folder as test/data/fuzz/TARGET.t7, a list
-- of strings. CONTRIBUTING.md says how to make the folder small first.
local lfs = require 'lfs'
local torch = require 'torch'

local target, folder = arg[1], arg[2]
local inputs, bytes = {}, 0
for name in lfs.dir(folder) do
   local path = folder .. '/' .. name
   if lfs.attributes(path, 'mode') == 'file' then
      local file = assert(io.open(path, 'rb'))
      inputs[#inputs + 1] = file:read '*a'
      file:close()
      bytes = bytes + #inputs[#inputs]
   end
end
table.sort(inputs)
torch.save(('test/data/fuzz/%s.t7'):format(target), inputs)
print(('%d inputs, %d bytes'):format(#inputs, bytes))
