--- Pictures on the screen.
-- @module image.show.display
local errors = require 'torch.errors'
local paths = require 'paths'
local native = require 'image.native'
local encoders = require 'image.show.encoders'
local terminal = require 'image.show.terminal'
local planes = require 'image.files.planes'
local png = require 'image.files.png'
local files = require('image.files.formats').public
local scale = require('image.shape.scale').public.scale
local toDisplayTensor = require('image.show.grid').public.toDisplayTensor

local M = {}
local public = {}
M.public = public

local NAME = 'image.display'
local wanted = { { 'image' }, { 'zoom', 1 }, { 'min' }, { 'max' }, { 'legend' }, { 'win' }, { 'x' },
   { 'y' }, { 'scaleeach', false }, { 'gui' }, { 'offscreen', false }, { 'padding', 0 },
   { 'symm', false }, { 'nrow', 6 }, { 'saturate', true }, { 'file' }, { 'as' } }
local ways = { kitty = true, sixel = true, blocks = true, file = true }

local Window = {}
Window.__index = Window

function Window:__tostring()
   local size = self.image and table.concat(self.image:size():totable(), 'x') or 'nothing'
   return ('image.display: %s%s'):format(size, self.file and ' in ' .. self.file or '')
end

--- What image.display{win = } shows its pictures in: a table whose field `image` is the last one.
-- There is no window on a screen, so nobody clicks or resizes it.
-- @return window
-- @raise where functions for such events are given
function public.window(...)
   for i = 1, select('#', ...) do
      if (select(i, ...)) ~= nil then
         errors.raise('image.window: there is no window system: nothing would call the functions '
            .. 'for clicks and sizes; call image.window() without them')
      end
   end
   return setmetatable({}, Window)
end

-- A picture of at most so many pixels, in its proportions, times `zoom`.
local function fitted(x, zoom, width, height)
   local dims = x:dim()
   local w, h = x:size(dims) * zoom, x:size(dims - 1) * zoom
   local less = math.min(1, width / w, height / h)
   w, h = math.max(1, math.floor(w * less + 0.5)), math.max(1, math.floor(h * less + 0.5))
   if w == x:size(dims) and h == x:size(dims - 1) then
      return x
   end
   return scale(x, w, h, w > x:size(dims) and 'simple' or 'bilinear')
end

-- H x W x 3 bytes.
local function pixelsOf(x)
   local colours = x:dim() == 2 and x:reshape(1, x:size(1), x:size(2)) or x
   return (planes.toPixels(NAME, colours:expand(3, colours:size(2), colours:size(3)), 3))
end

local show = {}

function show.kitty(x, zoom)
   local _, _, width = terminal.size()
   return encoders.kitty(png.encode(NAME, fitted(x, zoom, width, math.huge)))
end

function show.sixel(x, zoom)
   local _, _, width = terminal.size()
   return encoders.sixel(pixelsOf(fitted(x, zoom, width, math.huge)))
end

-- One row is left for the prompt.
function show.blocks(x, zoom)
   local columns, rows = terminal.size()
   local unicode = terminal.isUnicode()
   local width = unicode and columns or math.floor(columns / 2)
   local height = (unicode and 2 or 1) * math.max(rows - 1, 1)
   local pixels = pixelsOf(fitted(x, zoom, width, height))
   return encoders.blocks(pixels, terminal.hasAllColours(), unicode)
end

local temporary = {} -- legend -> name of its file, one for all pictures under it

local function fileFor(legend)
   legend = legend or ''
   if not temporary[legend] then
      local name = paths.tmpname()
      os.remove(name)
      temporary[legend] = name .. '.png'
   end
   return temporary[legend]
end

--- Show a picture, or several side by side: in the terminal, by kitty's protocol or as sixels where
-- the terminal says that it knows them, in coloured half blocks elsewhere; without a terminal, as
-- a PNG file whose name is printed.
-- @param image what image.toDisplayTensor takes: a picture, a batch, a table of pictures
-- @param[opt=1] zoom factor
-- @param[opt] min value that becomes black; by default the smallest
-- @param[opt] max value that becomes white; by default the largest
-- @param[opt] legend text printed below
-- @param[opt] win of an earlier call: takes the picture as well
-- @param[opt] x without meaning, as y and gui: there are no windows
-- @param[opt] y
-- @param[opt=false] scaleeach as image.toDisplayTensor
-- @param[opt] gui
-- @param[opt=false] offscreen true: only the returned window has the picture
-- @param[opt=0] padding as image.toDisplayTensor
-- @param[opt=false] symm as image.minmax
-- @param[opt=6] nrow as image.toDisplayTensor
-- @param[opt=true] saturate as image.minmax
-- @param[opt] file name of a file to which the picture goes, in place of the screen
-- @param[opt] as 'kitty', 'sixel', 'blocks' or 'file': this, whatever the terminal says
-- @return window: `image` is what was shown, `file` where it is
-- @usage image.display(picture) -> window
-- image.display{image = picture, zoom = , min = , max = , legend = , file = , ...} -> window
-- @example image.display{image = torch.rand(3, 2, 2), offscreen = true}.image:size(1) --> 3
function public.display(...)
   local first = (...)
   local o
   local list = type(first) == 'table' and first.image == nil and first[1] ~= nil
   if list and select('#', ...) == 1 then
      o = native.arguments(NAME, wanted, { image = first })
   else
      o = native.arguments(NAME, wanted, ...)
   end
   if o.image == nil then
      errors.raise(NAME .. ': there is no image')
   end
   local zoom = native.checkNumber(NAME, 'the zoom', o.zoom)
   if zoom <= 0 then
      errors.raise(('%s: the zoom is %s, wanted more than 0'):format(NAME, zoom))
   end
   local win = type(o.win) == 'table' and o.win or setmetatable({}, Window)
   win.image = toDisplayTensor { input = o.image, padding = o.padding, nrow = o.nrow, min = o.min,
      max = o.max, scaleeach = o.scaleeach, symmetric = o.symm, saturate = o.saturate }
   if o.offscreen then
      return win
   end
   local as = o.file and 'file' or o.as or terminal.kind()
   native.choice(ways, NAME, "'as'", as)
   if as == 'file' then
      local file = o.file or win.file or fileFor(o.legend)
      files.save(file, fitted(win.image, zoom, math.huge, math.huge))
      win.file = file
      if not o.file then
         print(('%s: %s'):format(NAME, file))
      end
      return win
   end
   io.stdout:write(show[as](win.image, zoom), o.legend and o.legend .. '\n' or '')
   io.stdout:flush()
   return win
end

return M
