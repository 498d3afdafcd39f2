-- th test/onnx/tools/read_cases.lua FOLDER: reads each NAME.onnx and compares with NAME.safetensors
-- (test/onnx/tools/onnx_cases.py writes them). Prints those that give something else, and how many
-- agree and are refused; a file that is refused by a mistake of Lua's counts as one that differs.
local lfs = require 'lfs'
local onnx = require 'onnx'
local safetensors = require 'safetensors'
local torch = require 'torch'

local folder, only = arg[1], arg[2]
local agree, refused, wrong = 0, {}, 0

local function list(data, letter)
   local found, i = {}, 1
   while data[letter .. i] do
      found[i] = data[letter .. i]
      i = i + 1
   end
   return found
end

local function differs(found, wanted)
   if not torch.isTensor(found) or found:nElement() ~= wanted:nElement() then
      return 'another number of elements'
   elseif wanted:nElement() == 0 then
      return nil
   end
   local a, b = found:double():contiguous():view(-1), wanted:double():contiguous():view(-1)
   local bad = torch.abs(a - b):gt(torch.abs(b) * 1e-3 + 1e-5):sum()
   local same_nan = torch.ne(a, a):eq(torch.ne(b, b)):all()
   local infinite = torch.abs(b):eq(math.huge)
   bad = bad - torch.cmul(infinite, torch.eq(a, b)):sum()
   return (bad > 0 or not same_nan) and ('%d of %d elements differ'):format(bad, a:size(1))
end

local function run(name)
   local data = safetensors.load(('%s/%s.safetensors'):format(folder, name))
   local ok, net = pcall(onnx.import, ('%s/%s.onnx'):format(folder, name))
   if not ok then
      return 'refused', net
   end
   net:evaluate()
   local inputs, wanted = list(data, 'x'), list(data, 'y')
   local done, y = pcall(net.forward, net, #inputs == 1 and inputs[1] or inputs)
   if not done then
      return 'refused', y
   end
   if type(y) ~= 'table' and not torch.isTensor(y) then
      return 'wrong', 'the result is a ' .. type(y)
   end
   local outputs = torch.isTensor(y) and { y } or y
   for i, one in ipairs(wanted) do
      local message = differs(outputs[i], one)
      if message then
         return 'wrong', message
      end
   end
   return 'agree'
end

for file in lfs.dir(folder) do
   local name = file:match '^(.*)%.onnx$'
   if name and (not only or name:find(only, 1, true)) then
      local outcome, message = run(name)
      if outcome == 'agree' then
         agree = agree + 1
      else
         local text = tostring(message):gsub('\n.*', ''):gsub("^.-%.onnx': ", '')
         if outcome == 'wrong' or text:find 'attempt to' or only then
            wrong = wrong + 1
            print(name, text)
         else
            local reason = text:gsub("'[^']*'", '...'):gsub('%d+', 'N')
            refused[reason] = (refused[reason] or 0) + 1
         end
      end
   end
end
local reasons, count = {}, 0
for reason, n in pairs(refused) do
   reasons[#reasons + 1], count = ('%4d %s'):format(n, reason), count + n
end
table.sort(reasons, function(a, b) return a > b end)
print(table.concat(reasons, '\n'))
print(('%d agree, %d are refused, %d differ'):format(agree, count, wrong))
os.exit(wrong == 0 and 0 or 1)
