-- A CUDA device: large operations against its own copies and PyTorch, small ones by what they cost
-- the host. Simulated devices run the same with little work, to try the script.
local cutorch = require 'cutorch'
local torch = require 'torch'
local bench = require 'bench.harness'
local waited = require 'bench.device'

local LARGE = cutorch.isSimulated() and 1e4 or 1e8
local ROWS = cutorch.isSimulated() and 100 or 1e4
local ISSUED = 500 -- launches that surely fit into the device's queue

local x = torch.CudaTensor(LARGE):uniform(-1, 1)
local y = torch.CudaTensor(LARGE):uniform(-1, 1)
local r = torch.CudaTensor(LARGE)

-- Seconds for 1e9 bytes moved: how near an operation comes to a copy of the device's memory.
local function per_gigabyte(name, operands, f)
   local scale = operands * LARGE * 4 / 1e9
   bench.case(name .. ', per GB', waited(f), scale)
   return scale
end

local copy = function()
   r:copy(x)
end
per_gigabyte('CUDA copy, 1e8 floats', 2, copy)
local function against_copy(name, operands, f)
   per_gigabyte(name, operands, f)
   bench.case(name .. ', per GB (a copy itself)', waited(copy), 2 * LARGE * 4 / 1e9)
end
against_copy('CUDA add, 1e8 floats', 3, function()
   r:add(x, y)
end)
against_copy('CUDA exp, 1e8 floats', 2, function()
   r:exp(x)
end)
against_copy('CUDA tanh, 1e8 floats', 2, function()
   r:tanh(x)
end)
local square, turned = x:view(ROWS, LARGE / ROWS), y:view(LARGE / ROWS, ROWS):t()
local square_result = r:view(ROWS, LARGE / ROWS)
against_copy('CUDA transposed copy, 1e8 floats', 2, function()
   square_result:copy(turned)
end)
against_copy('CUDA sum of all, 1e8 floats', 1, function()
   x:sum()
end)
local sums = torch.CudaTensor()
against_copy('CUDA sum of rows, 1e8 floats', 1, function()
   sums:sum(square, 2)
end)
against_copy('CUDA sum of columns, 1e8 floats', 1, function()
   sums:sum(square, 1)
end)

local small = torch.CudaTensor(10):fill(0)
bench.case('CUDA y:add(1), 10 floats, to the end', waited(function()
   small:add(1)
end))
bench.issued('CUDA y:add(1), 10 floats, host', ISSUED, function()
   small:add(1)
end, cutorch.synchronize)
bench.issued('CUDA y + 1, 10 floats, host', ISSUED, function()
   return small + 1
end, cutorch.synchronize)
bench.issued('CUDA new tensor, 10 floats, host', ISSUED, function()
   return torch.CudaTensor(10)
end, cutorch.synchronize)
