--- Minimum of the polynomial through points with given values and slopes.
-- Source: Nocedal and Wright, Numerical Optimization, 2nd edition, equation 3.59 (two points).

local torch = require 'torch'

-- The cubic through two points { x, f, slope }.
local function cubic(a, b, low, high)
   if b[1] < a[1] then
      a, b = b, a
   end
   local d1 = a[3] + b[3] - 3 * (a[2] - b[2]) / (a[1] - b[1])
   local square = d1 * d1 - a[3] * b[3]
   if square < 0 then
      return (low + high) / 2
   end
   local d2 = math.sqrt(square)
   local t = b[1] - (b[1] - a[1]) * ((b[3] + d2 - d1) / (b[3] - a[3] + 2 * d2))
   return math.min(math.max(t, low), high)
end

-- Coefficients, highest power first, of the polynomial that meets all values and slopes.
local function fit(points)
   local order = 2 * #points - 1
   local A, y = torch.Tensor(2 * #points, order + 1):zero(), torch.Tensor(2 * #points, 1)
   for i, p in ipairs(points) do
      for power = 0, order do
         A[2 * i - 1][order + 1 - power] = p[1] ^ power
         A[2 * i][order + 1 - power] = power == 0 and 0 or power * p[1] ^ (power - 1)
      end
      y[2 * i - 1][1], y[2 * i][1] = p[2], p[3]
   end
   return torch.gesv(y, A):select(2, 1):totable()
end

local function value(coefficients, x)
   local f = 0
   for _, c in ipairs(coefficients) do
      f = f * x + c
   end
   return f
end

-- Real roots of a polynomial: the real eigenvalues of its companion matrix.
local function roots(coefficients)
   while coefficients[1] and math.abs(coefficients[1]) < 1e-12 do
      table.remove(coefficients, 1)
   end
   local n = #coefficients - 1
   if n < 1 then
      return {}
   end
   local companion = torch.Tensor(n, n):zero()
   for i = 1, n do
      companion[1][i] = -coefficients[i + 1] / coefficients[1]
      if i < n then
         companion[i + 1][i] = 1
      end
   end
   local eigenvalues, real = torch.eig(companion), {}
   for i = 1, n do
      if math.abs(eigenvalues[i][2]) < 1e-9 then
         real[#real + 1] = eigenvalues[i][1]
      end
   end
   return real
end

local function general(points, low, high)
   local coefficients = fit(points)
   local slope = {}
   for i = 1, #coefficients - 1 do
      slope[i] = coefficients[i] * (#coefficients - i)
   end
   local candidates = roots(slope)
   candidates[#candidates + 1], candidates[#candidates + 2] = low, high
   for _, p in ipairs(points) do
      candidates[#candidates + 1] = p[1]
   end
   local best, best_value = (low + high) / 2, math.huge
   for _, x in ipairs(candidates) do
      local f = value(coefficients, x)
      if x >= low and x <= high and f < best_value then
         best, best_value = x, f
      end
   end
   return best
end

--- @param points table or Tensor of at least two rows: x, value, slope
-- @number[opt] low smallest x allowed; default the smallest of the points
-- @number[opt] high largest x allowed; default the largest of the points
-- @treturn number x of the minimum between the bounds
-- @example optim.polyinterp(torch.Tensor { { 0, 1, -2 }, { 2, 1, 2 } }) --> 1
local function polyinterp(points, low, high)
   if torch.isTensor(points) then
      points = points:totable()
   end
   local smallest, largest = math.huge, -math.huge
   for _, p in ipairs(points) do
      smallest, largest = math.min(smallest, p[1]), math.max(largest, p[1])
   end
   low, high = low or smallest, high or largest
   if #points == 2 then
      return cubic(points[1], points[2], low, high)
   end
   return general(points, low, high)
end

return polyinterp
