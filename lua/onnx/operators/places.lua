-- Operators that read and write elements at places that a tensor tells.
local torch = require 'torch'
local tools = require 'onnx.operators.tools'

local sizes_of, view = tools.sizes, tools.view
local M = {}

-- Places of a dimension of n from its start, from 1; negative ones count from behind.
local function from_start(places, n)
   places = places:long()
   places = places + torch.lt(places, 0):long() * n
   if places:nElement() > 0 and (places:min() < 0 or places:max() >= n) then
      error(('a position is outside of a dimension of %d'):format(n), 0)
   end
   return places
end

-- Rows of x that tuples of places name, its first dimensions taken as one.
-- @return positions from 1, sizes of a row
local function rows_of(x, tuples, batch)
   local own, P = sizes_of(x), tuples:size(1)
   local depth = tuples:size(2)
   if batch + depth > #own then
      error(('places of %d numbers in a tensor of %d dimensions'):format(depth, #own - batch), 0)
   end
   local at = torch.LongTensor(P):zero()
   if batch > 0 then -- tuples lie batch by batch
      local batches = tools.product(own, 1, batch)
      at:add(torch.range(0, P - 1):div(P / batches):floor():long())
   end
   for k = 1, depth do
      local n = own[batch + k]
      at:mul(n):add(from_start(tuples:select(2, k), n))
   end
   return at + 1, { unpack(own, batch + depth + 1) }
end

local function matrix(indices)
   local sizes = sizes_of(indices)
   local depth = sizes[#sizes]
   return view(indices, { indices:nElement() / depth, depth }):long(), sizes
end

local function beside(positions, x)
   return positions:type(tools.beside('torch.LongTensor', x))
end

function M.GatherND(c, x, indices)
   local tuples, sizes = matrix(indices:long():type 'torch.LongTensor')
   local at, row = rows_of(x, tuples, c.batch_dims or 0)
   local each = tools.product(row)
   tools.spend(at:nElement() * each)
   local y = view(x, { x:nElement() / each, each }):index(1, beside(at, x))
   table.remove(sizes)
   for _, n in ipairs(row) do
      sizes[#sizes + 1] = n
   end
   return view(y, sizes)
end

local REDUCTIONS = { mul = torch.cmul, max = torch.cmax, min = torch.cmin }

-- Rows that come several times are of several rounds: lists of positions and of rows of the
-- updates, both from 1, none of which has a position twice.
local function rounds_of(at)
   local times, list = {}, {}
   for k, position in ipairs(at:totable()) do
      local round = (times[position] or 0) + 1
      times[position] = round
      list[round] = list[round] or { {}, {} }
      table.insert(list[round][1], position)
      table.insert(list[round][2], k)
   end
   return list
end

-- y with f(row, update) in the place of each row that is named.
local function combined(f, y, at, updates)
   for _, round in ipairs(rounds_of(at)) do
      tools.spend(y:nElement())
      local into = beside(torch.LongTensor(round[1]), y)
      local rows = f(y:index(1, into), updates:index(1, beside(torch.LongTensor(round[2]), y)))
      y = y:clone():indexCopy(1, into, rows)
   end
   return y
end

-- A copy of x whose rows at these positions are others, or more.
local function written(c, x, at, updates, each)
   local reduction = c.reduction or 'none'
   tools.spend(x:nElement())
   local y = view(x:clone(), { x:nElement() / each, each })
   updates = view(updates, { at:nElement(), each })
   if reduction == 'none' then
      y:indexCopy(1, beside(at, x), updates)
   elseif reduction == 'add' then
      y:indexAdd(1, beside(at, x), updates)
   else
      local f = REDUCTIONS[reduction] or error(("there is no reduction '%s'"):format(reduction), 0)
      y = combined(f, y, at, updates)
   end
   return view(y, sizes_of(x))
end

function M.ScatterND(c, x, indices, updates)
   local at, row = rows_of(x, (matrix(indices:type 'torch.LongTensor')), 0)
   return written(c, x, at, updates, tools.product(row))
end

function M.ScatterElements(c, x, indices, updates)
   local own, sizes, d = sizes_of(x), sizes_of(indices), tools.dim(x, c.axis or 0)
   local at = torch.LongTensor():resize(tools.storage(sizes)):zero()
   for k, n in ipairs(own) do
      local places
      if k == d then
         places = from_start(indices:type 'torch.LongTensor', n)
      elseif sizes[k] > n then
         error(('%d places in a dimension of %d'):format(sizes[k], n), 0)
      else
         local shape = {}
         for i = 1, #own do
            shape[i] = i == k and sizes[k] or 1
         end
         places = view(torch.range(0, sizes[k] - 1):long(), shape):expandAs(at)
      end
      at:mul(n):add(places)
   end
   return written(c, x, view(at + 1, { at:nElement() }), updates, 1)
end

M.Scatter = M.ScatterElements

function M.NonZero(_, x)
   local found = torch.nonzero(torch.ne(x, 0))
   if found:nElement() == 0 then
      error('no element is other than 0: it gives no elements', 0)
   end
   return (found:t() - 1):contiguous()
end

-- --- images at points ----------------------------------------------------------------------------

-- A coordinate of -1 to 1 in elements of n.
local function unnormalised(g, n, align)
   return align == 1 and (g + 1) * ((n - 1) / 2) or ((g + 1) * n - 1) / 2
end

-- The image at whole places, and 0 where they are outside. places: N x P, doubles.
local function texels(x, rows, columns)
   local N, C, H, W = unpack(sizes_of(x))
   local P = rows:size(2)
   local inside = torch.cmul(torch.cmul(torch.ge(rows, 0), torch.lt(rows, H)),
      torch.cmul(torch.ge(columns, 0), torch.lt(columns, W)))
   local at = torch.clamp(rows, 0, H - 1) * W + torch.clamp(columns, 0, W - 1) + 1
   at = beside(at:long():view(N, 1, P):expand(N, C, P):contiguous(), x)
   local y = torch.gather(view(x, { N, C, H * W }), 3, at)
   return torch.cmul(y, inside:typeAs(x):view(N, 1, P):expand(N, C, P):contiguous())
end

-- A coordinate folded back at the borders, which are the outer elements or their outer edges.
local function reflected(v, n, align)
   local low, high = align == 1 and 0 or -0.5, align == 1 and n - 1 or n - 0.5
   local span = high - low
   if span <= 0 then
      return v * 0
   end
   local by = torch.abs(v - low)
   local folds = torch.floor(by:detach() / span)
   local rest = by - folds * span
   local odd = torch.ne(torch.floor(folds / 2) * 2, folds)
   return torch.clamp(torch.where(odd, high - rest, rest + low), 0, n - 1)
end

-- What is done with a coordinate that may be outside; of zeros `texels` takes care.
local OUTSIDE = {
   zeros = function(v)
      return v
   end,
   border = function(v, n)
      return torch.clamp(v, 0, n - 1)
   end,
   reflection = reflected,
}

-- For each mode the places that a coordinate lies among, from its floor, and their shares.
local NEIGHBOURS = {
   linear = function(share)
      return { [0] = 1 - share, share }
   end,
   -- Keys, IEEE Trans. ASSP 29 (1981), equation 4.
   cubic = function(share)
      local a = -0.75
      local function near(s)
         return torch.cmul(torch.cmul(s * (a + 2) - (a + 3), s), s) + 1
      end
      local function far(s)
         return torch.cmul(torch.cmul(s * a - 5 * a, s) + 8 * a, s) - 4 * a
      end
      return { [-1] = far(share + 1), [0] = near(share), near(1 - share), far(2 - share) }
   end,
}
NEIGHBOURS.bilinear, NEIGHBOURS.bicubic = NEIGHBOURS.linear, NEIGHBOURS.cubic

-- The sum over pairs of places of the elements there times their shares.
local function weighted(x, outside, c, mode, u, v)
   local N, C, H, W = unpack(sizes_of(x))
   local P = u:size(2)
   local left, top = torch.floor(u:detach()), torch.floor(v:detach())
   local across, down, y = NEIGHBOURS[mode](u - left), NEIGHBOURS[mode](v - top), nil
   for dy, share_y in pairs(down) do
      for dx, share_x in pairs(across) do
         local rows = outside((top + dy):double(), H, c.align_corners)
         local columns = outside((left + dx):double(), W, c.align_corners)
         local part = torch.cmul(texels(x, rows, columns),
            view(torch.cmul(share_x, share_y), { N, 1, P }):expand(N, C, P):contiguous())
         y = y and y + part or part
      end
   end
   return y
end

--- Source: Jaderberg et al., Spatial Transformer Networks, NIPS 2015, equation 5.
function M.GridSample(c, x, grid)
   local mode, outside = c.mode or 'linear', OUTSIDE[c.padding_mode or 'zeros']
   if x:dim() ~= 4 or grid:dim() ~= 4 or not outside
      or not (NEIGHBOURS[mode] or mode == 'nearest') then
      error('only images are read, linear, cubic or nearest, with borders of zeros, as at the '
         .. 'border or reflected', 0)
   end
   local N, C, H, W = unpack(sizes_of(x))
   local h, w = grid:size(2), grid:size(3)
   local cubic = mode:find 'cubic' ~= nil
   tools.spend(N * C * h * w * (cubic and 16 or 4))
   local points = view(grid, { N, h * w, 2 })
   local u = unnormalised(points:select(3, 1), W, c.align_corners)
   local v = unnormalised(points:select(3, 2), H, c.align_corners)
   if not cubic then -- each place among which a cubic one lies is folded by itself
      u, v = outside(u, W, c.align_corners), outside(v, H, c.align_corners)
   end
   if mode == 'nearest' then
      local rows, columns = tools.to_even(v:detach()), tools.to_even(u:detach())
      return view(texels(x, rows:double(), columns:double()), { N, C, h, w })
   end
   return view(weighted(x, outside, c, mode, u, v), { N, C, h, w })
end

--- Points of an image under a matrix of 2 x 3 each, for GridSample.
function M.AffineGrid(c, theta, size)
   local N, _, H, W = unpack(tools.list(size))
   if not W or theta:size(2) ~= 2 then
      error('only grids of images are read', 0)
   end
   tools.spend(N * H * W * 3)
   local function coordinates(n)
      local at = torch.range(0, n - 1)
      return c.align_corners == 1 and at * (2 / math.max(n - 1, 1)) - 1 or (at * 2 + 1) / n - 1
   end
   local base = torch.DoubleTensor(H, W, 3):fill(1)
   base:select(3, 1):copy(view(coordinates(W), { 1, W }):expand(H, W))
   base:select(3, 2):copy(view(coordinates(H), { H, 1 }):expand(H, W))
   local rows = view(base:typeAs(theta), { 1, H * W, 3 }):expand(N, H * W, 3):contiguous()
   return view(torch.bmm(rows, theta:transpose(2, 3):contiguous()), { N, H, W, 2 })
end

return M
