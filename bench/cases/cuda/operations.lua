-- A CUDA device: large operations against its own copies and PyTorch, small ones by what they cost
-- the host. Simulated devices run the same with little work, to try the script.
local torch = require 'torch'
local device = require 'bench.device'

local LARGE = device.size(1e8, 1e4)
local ROWS = device.size(1e4, 100)

local x = torch.CudaTensor(LARGE):uniform(-1, 1)
local y = torch.CudaTensor(LARGE):uniform(-1, 1)
local r = torch.CudaTensor(LARGE)

-- Seconds for 1e9 bytes moved: how near an operation comes to a copy of the device's memory.
local function per_gigabyte(name, operands, f)
   device.case(name .. ', per GB', f, operands * LARGE * 4 / 1e9)
end

local copy = function()
   r:copy(x)
end
per_gigabyte('copy, 1e8 floats', 2, copy)
local function against_copy(name, operands, f)
   per_gigabyte(name, operands, f)
   device.case(name .. ', per GB (a copy itself)', copy, 2 * LARGE * 4 / 1e9)
end
against_copy('add, 1e8 floats', 3, function()
   r:add(x, y)
end)
against_copy('exp, 1e8 floats', 2, function()
   r:exp(x)
end)
against_copy('tanh, 1e8 floats', 2, function()
   r:tanh(x)
end)
local square, turned = x:view(ROWS, LARGE / ROWS), y:view(LARGE / ROWS, ROWS):t()
local square_result = r:view(ROWS, LARGE / ROWS)
against_copy('transposed copy, 1e8 floats', 2, function()
   square_result:copy(turned)
end)
against_copy('sum of all, 1e8 floats', 1, function()
   x:sum()
end)
local sums = torch.CudaTensor()
against_copy('sum of rows, 1e8 floats', 1, function()
   sums:sum(square, 2)
end)
against_copy('sum of columns, 1e8 floats', 1, function()
   sums:sum(square, 1)
end)

local small = torch.CudaTensor(10):fill(0)
device.case('y:add(1), 10 floats, to the end', function()
   small:add(1)
end)
device.issued('y:add(1), 10 floats, host', function()
   small:add(1)
end)
device.issued('y + 1, 10 floats, host', function()
   return small + 1
end)
device.issued('new tensor, 10 floats, host', function()
   return torch.CudaTensor(10)
end)
