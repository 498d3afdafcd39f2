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

-- A copy of x whose rows at these positions are others, or more.
local function written(c, x, at, updates, each)
   local reduction = c.reduction or 'none'
   if reduction ~= 'none' and reduction ~= 'add' then
      error(("the reduction '%s' is not read, none and add are"):format(reduction), 0)
   end
   tools.spend(x:nElement())
   local y = view(x:clone(), { x:nElement() / each, each })
   updates = view(updates, { at:nElement(), each })
   if reduction == 'add' then
      y:indexAdd(1, beside(at, x), updates)
   else
      y:indexCopy(1, beside(at, x), updates)
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

--- Source: Jaderberg et al., Spatial Transformer Networks, NIPS 2015, equation 5.
function M.GridSample(c, x, grid)
   local mode, padding = c.mode or 'linear', c.padding_mode or 'zeros'
   if x:dim() ~= 4 or mode ~= 'linear' and mode ~= 'bilinear' and mode ~= 'nearest'
      or padding == 'reflection' then
      error('only images are read, linear or nearest, with borders of zeros or as at the border', 0)
   end
   local N, C, H, W = unpack(sizes_of(x))
   local h, w = grid:size(2), grid:size(3)
   tools.spend(N * C * h * w * 4)
   local points = view(grid, { N, h * w, 2 })
   local u = unnormalised(points:select(3, 1), W, c.align_corners)
   local v = unnormalised(points:select(3, 2), H, c.align_corners)
   if padding == 'border' then
      u, v = torch.clamp(u, 0, W - 1), torch.clamp(v, 0, H - 1)
   end
   if mode == 'nearest' then
      local rows, columns = tools.to_even(v:detach()), tools.to_even(u:detach())
      return view(texels(x, rows:double(), columns:double()), { N, C, h, w })
   end
   local left, top = torch.floor(u:detach()), torch.floor(v:detach())
   local right, down = u - left, v - top -- shares of the neighbours on the other side
   local y
   for dy = 0, 1 do
      for dx = 0, 1 do
         local share = torch.cmul(dx == 0 and 1 - right or right, dy == 0 and 1 - down or down)
         local part = torch.cmul(texels(x, top:double() + dy, left:double() + dx),
            view(share, { N, 1, h * w }):expand(N, C, h * w):contiguous())
         y = y and y + part or part
      end
   end
   return view(y, { N, C, h, w })
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
