-- Boxes of images: which of them stay, and what is in them.
local torch = require 'torch'
local tools = require 'onnx.operators.tools'

local sizes_of, view = tools.sizes, tools.view
local M = {}

-- --- which of them stay --------------------------------------------------------------------------

-- Corners, the lower ones first, of two corners in any order or of a centre with sizes.
local function corners(list, at, centred)
   local a, b, c, d = list[at], list[at + 1], list[at + 2], list[at + 3]
   if centred then
      return a - c / 2, b - d / 2, a + c / 2, b + d / 2
   end
   return math.min(a, c), math.min(b, d), math.max(a, c), math.max(b, d)
end

local function area(box)
   return (box[3] - box[1]) * (box[4] - box[2])
end

-- The part of two boxes' area that both have.
local function overlap(p, q)
   local w = math.min(p[3], q[3]) - math.max(p[1], q[1])
   local h = math.min(p[4], q[4]) - math.max(p[2], q[2])
   if w <= 0 or h <= 0 then
      return 0
   end
   return w * h / (area(p) + area(q) - w * h)
end

-- Boxes of one class, best first, without those that a better one covers.
local function kept(boxes, scores, most, threshold, least)
   local order = {}
   for k, score in ipairs(scores) do
      if not least or score > least then
         order[#order + 1] = k
      end
   end
   table.sort(order, function(a, b)
      return scores[a] > scores[b] or scores[a] == scores[b] and a < b
   end)
   local list = {}
   for _, k in ipairs(order) do
      local free = true
      tools.spend(#list)
      for _, better in ipairs(list) do
         free = free and overlap(boxes[k], boxes[better]) <= threshold
      end
      if #list >= most then
         break
      end
      list[#list + 1] = free and k or nil
   end
   return list
end

local function number(t, default)
   return t and tools.number(t) or default
end

--- Rows of image, class and box, from 0: of each class the best boxes, none of which shares more
-- than a part of its area with a better one.
function M.NonMaxSuppression(c, boxes, scores, most, threshold, least)
   local N, P = boxes:size(1), boxes:size(2)
   if boxes:dim() ~= 3 or boxes:size(3) ~= 4 or scores:dim() ~= 3 or scores:size(1) ~= N
      or scores:size(3) ~= P then
      error(('boxes of %s, scores of %s: they are to be N x boxes x 4 and N x classes x boxes')
         :format(table.concat(sizes_of(boxes), 'x'), table.concat(sizes_of(scores), 'x')), 0)
   end
   local rows, points, values = {}, boxes:double():totable(), scores:double():totable()
   for n = 1, N do
      local list = {}
      for k, point in ipairs(points[n]) do
         list[k] = { corners(point, 1, c.center_point_box == 1) }
      end
      for class, of_class in ipairs(values[n]) do
         for _, k in ipairs(kept(list, of_class, number(most, 0), number(threshold, 0),
            number(least))) do
            rows[#rows + 1] = { n - 1, class - 1, k - 1 }
         end
      end
   end
   if #rows == 0 then
      error('no box is left: it gives no elements', 0)
   end
   tools.spend(#rows * 3)
   return torch.LongTensor(rows):type(tools.beside('torch.LongTensor', boxes))
end

-- --- what is in them -----------------------------------------------------------------------------

-- The two neighbours of a coordinate among 0 to n - 1, and the share of the second; nil outside.
local function neighbours(v, n)
   if v < -1 or v > n then
      return nil
   end
   v = math.max(v, 0)
   local low = math.min(math.floor(v), n - 1)
   return low, math.min(low + 1, n - 1), low >= n - 1 and 0 or v - low
end

-- Where the samples of a box are along a side that begins at `from`: for each of `bins` a list of
-- `samples` coordinates.
local function coordinates(from, size, bins, samples)
   local list = {}
   for bin = 0, bins - 1 do
      for s = 0, samples - 1 do
         list[#list + 1] = from + size * (bin + (s + 0.5) / samples) / bins
      end
   end
   return list
end

-- Positions in an image of H x W, from 1, and their shares: four for each sample, bin by bin.
local function samples_of(ys, xs, h, w, sy, sx, H, W)
   local places, shares = {}, {}
   local function put(y, x)
      local top, down, dy = neighbours(y, H)
      local left, right, dx = neighbours(x, W)
      for k = 0, 3 do
         local at, share = 1, 0
         if top and left then
            local row, column = k < 2 and top or down, k % 2 == 0 and left or right
            at = row * W + column + 1
            share = (k < 2 and 1 - dy or dy) * (k % 2 == 0 and 1 - dx or dx)
         end
         places[#places + 1], shares[#shares + 1] = at, share
      end
   end
   for i = 0, h - 1 do
      for j = 0, w - 1 do
         for p = 1, sy do
            for q = 1, sx do
               put(ys[i * sy + p], xs[j * sx + q])
            end
         end
      end
   end
   return places, shares
end

-- One box of an image, C x H W: C x h x w.
local MOST_SAMPLES = 2 ^ 24 -- of a box, whose sides a net computes

local function aligned(c, image, box, H, W)
   local h, w = c.output_height or 1, c.output_width or 1
   local scale, C = c.spatial_scale or 1, image:size(1)
   local half = (c.coordinate_transformation_mode or (c.opset or 16) < 16 and 'output_half_pixel'
      or 'half_pixel') == 'half_pixel'
   local shift = half and 0.5 or 0
   local x, y = box[1] * scale - shift, box[2] * scale - shift
   local width, height = box[3] * scale - shift - x, box[4] * scale - shift - y
   if not half then
      width, height = math.max(width, 1), math.max(height, 1)
   end
   local ratio = c.sampling_ratio or 0
   local sy = ratio > 0 and ratio or math.ceil(height / h)
   local sx = ratio > 0 and ratio or math.ceil(width / w)
   if sy < 1 or sx < 1 then -- a box that is turned round, with no places to look at
      return image.new():resize(1, C, h, w):zero()
   end
   local samples = h * w * sy * sx
   if samples > MOST_SAMPLES or samples ~= samples then -- or NaN
      error(('a box of %g x %g has too many places to look at'):format(width, height), 0)
   end
   tools.spend(samples * 4 * C)
   local places, shares = samples_of(coordinates(y, height, h, sy), coordinates(x, width, w, sx),
      h, w, sy, sx, H, W)
   local P = #places
   local found = image:index(2, torch.LongTensor(places):type(
      tools.beside('torch.LongTensor', image)))
   found = torch.cmul(found, torch.DoubleTensor(shares):typeAs(image):view(1, P):expand(C, P)
      :contiguous())
   found = view(found, { C, h * w, P / (h * w) })
   if c.mode == 'max' then
      return view((torch.max(found, 3)), { 1, C, h, w })
   end
   return view(found:sum(3) / (sy * sx), { 1, C, h, w })
end

--- Source: He et al., Mask R-CNN, ICCV 2017, section 3.
function M.RoiAlign(c, x, rois, of)
   local N, C, H, W = unpack(sizes_of(x))
   local boxes, images, list = rois:double():totable(), tools.list(of), {}
   if x:dim() ~= 4 or rois:dim() ~= 2 or rois:size(2) ~= 4 or #images ~= #boxes then
      error(('boxes of %s, and %d numbers of images'):format(table.concat(sizes_of(rois), 'x'),
         #images), 0)
   end
   for k, box in ipairs(boxes) do
      local n = images[k]
      if n < 0 or n >= N then
         error(('box %d is of image %d, and there are %d'):format(k - 1, n, N), 0)
      end
      list[k] = aligned(c, view(x:select(1, n + 1), { C, H * W }), box, H, W)
   end
   return #list > 1 and torch.cat(list, 1) or list[1]
end

return M
