--- A terminal's screen, made of what a program writes to it, and drawn as SVG.
--
-- It knows what th and image.display send: cursor movements, erasing, colours, half blocks; other
-- sequences are passed over.
local M = {}

local Screen = {}
Screen.__index = Screen

-- The 16 colours by number, and what stands for none.
local PALETTE = { [0] = '#3b4252', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd',
   '#56b6c2', '#d8dee9', '#6b7280', '#ef8a92', '#b5d99c', '#f0d399', '#8cc8ff', '#d9a2e8',
   '#7fd1db', '#ffffff' }
local INK, PAPER, DIM = '#d8dee9', '#1f2430', '#8a91a0'
local HALF = '\226\150\128' -- the upper half of a cell

function M.new(columns)
   return setmetatable({ columns = columns, row = 1, column = 1, lines = {}, style = {} }, Screen)
end

-- One of 256: 16 named ones, a cube of 216, 24 greys.
local function indexed(n)
   if n < 16 then
      return PALETTE[n]
   elseif n >= 232 then
      local v = 8 + 10 * (n - 232)
      return ('#%02x%02x%02x'):format(v, v, v)
   end
   n = n - 16
   local function level(v)
      return v == 0 and 0 or 55 + 40 * v
   end
   return ('#%02x%02x%02x'):format(level(math.floor(n / 36)), level(math.floor(n / 6) % 6),
      level(n % 6))
end

-- 38;5;n or 38;2;r;g;b from place i on: the colour, and the place of its last number.
local function extended(list, i)
   if list[i + 1] == 5 then
      return indexed(list[i + 2]), i + 2
   end
   return ('#%02x%02x%02x'):format(list[i + 2], list[i + 3], list[i + 4]), i + 4
end

local function styled(style, parameters)
   local list, new = {}, { ink = style.ink, paper = style.paper, bold = style.bold }
   for number in (parameters == '' and '0' or parameters):gmatch '%d+' do
      list[#list + 1] = tonumber(number)
   end
   local i = 1
   while i <= #list do
      local n = list[i]
      if n == 0 then
         new = {}
      elseif n == 1 then
         new.bold = true
      elseif n == 2 then
         new.ink = DIM
      elseif n >= 30 and n <= 37 then
         new.ink = PALETTE[n - 30]
      elseif n >= 90 and n <= 97 then
         new.ink = PALETTE[n - 82]
      elseif n == 38 then
         new.ink, i = extended(list, i)
      elseif n == 48 then
         new.paper, i = extended(list, i)
      elseif n == 39 then
         new.ink = nil
      elseif n == 49 then
         new.paper = nil
      end
      i = i + 1
   end
   return new
end

function Screen:erase(row, from, to)
   local line = self.lines[row] or {}
   for column = from, to do
      line[column] = nil
   end
end

local sequences = {}
function sequences:m(parameters)
   self.style = styled(self.style, parameters)
end
function sequences:A(n)
   self.row = math.max(1, self.row - (tonumber(n) or 1))
end
function sequences:B(n)
   self.row = self.row + (tonumber(n) or 1)
end
function sequences:C(n)
   self.column = math.min(self.columns, self.column + (tonumber(n) or 1))
end
function sequences:D(n)
   self.column = math.max(1, self.column - (tonumber(n) or 1))
end
function sequences:K()
   self:erase(self.row, self.column, self.columns)
end
function sequences:J()
   sequences.K(self)
   for row = self.row + 1, table.maxn(self.lines) do
      self.lines[row] = nil
   end
end

function Screen:put(letter)
   if letter == '\r' then
      self.column = 1
   elseif letter == '\n' then
      self.row = self.row + 1
   elseif letter == '\t' then
      self.column = math.min(self.columns, math.floor((self.column + 7) / 8) * 8 + 1)
   elseif letter:byte() >= 32 then
      if self.column > self.columns then
         self.row, self.column = self.row + 1, 1
      end
      self.lines[self.row] = self.lines[self.row] or {}
      self.lines[self.row][self.column] = { letter = letter, style = self.style }
      self.column = self.column + 1
   end
end

--- Take what a program has written.
function Screen:write(text)
   local at = 1
   while at <= #text do
      local parameters, kind, after = text:match('^\27%[([%d;?]*)(%a)()', at)
      if kind then
         if sequences[kind] and not parameters:find '?' then
            sequences[kind](self, parameters)
         end
      else
         local letter
         after = text:match('^\27[_P%]][^\27]*\27\\()', at) -- a question, a title
         if not after then
            letter, after = text:match('^([%z\1-\127\194-\244][\128-\191]*)()', at)
         end
         if letter then
            self:put(letter)
         end
      end
      at = after or at + 1
   end
end

--- The lines as text.
function Screen:text()
   local out = {}
   for row = 1, table.maxn(self.lines) do
      local line = {}
      for column = 1, table.maxn(self.lines[row] or {}) do
         local cell = self.lines[row][column]
         line[column] = cell and cell.letter or ' '
      end
      out[row] = table.concat(line):gsub('%s+$', '')
   end
   return table.concat(out, '\n')
end

-- --- drawing -------------------------------------------------------------------------------------

local WIDTH, HEIGHT, EDGE = 8, 17, 12 -- of a cell; around the screen
local entities = { ['<'] = '&lt;', ['>'] = '&gt;', ['&'] = '&amp;' }

-- Letters of one style, side by side, are one text. Two blanks end it: SVG takes them for one.
local function runs(line)
   local list, run = {}, nil
   for column = 1, table.maxn(line) do
      local cell = line[column]
      local blank = not cell or cell.letter == ' '
      if not cell or cell.letter == HALF or blank and (not run or run.text:match ' $') then
         run = nil
      elseif run and run.style == cell.style then
         run.text = run.text .. cell.letter
         run.last = column
      else
         run = { first = column, last = column, text = cell.letter, style = cell.style }
         list[#list + 1] = run
      end
   end
   return list
end

-- What half blocks show, as a picture of a pixel for each half; nil where there is none.
local function picture(lines, columns, encode)
   local pixels, first, last = {}, nil, nil
   for row = 1, table.maxn(lines) do
      for column = 1, columns do
         local cell = (lines[row] or {})[column]
         if cell and cell.letter == HALF then
            first, last = first or row, row
            pixels[#pixels + 1] = { column, row, cell.style.ink or INK, cell.style.paper or PAPER }
         end
      end
   end
   if not first then
      return ''
   end
   local width = 0
   for _, pixel in ipairs(pixels) do
      width = math.max(width, pixel[1])
   end
   local x = require('torch').ByteTensor(3, 2 * (last - first + 1), width)
   local function set(row, column, colour)
      for plane = 1, 3 do
         x[{ plane, row, column }] = tonumber(colour:sub(2 * plane, 2 * plane + 1), 16)
      end
   end
   x:fill(0)
   for _, pixel in ipairs(pixels) do
      set(2 * (pixel[2] - first) + 1, pixel[1], pixel[3])
      set(2 * (pixel[2] - first) + 2, pixel[1], pixel[4])
   end
   return ('<image x="%d" y="%d" width="%d" height="%d" preserveAspectRatio="none" '
      .. 'style="image-rendering: pixelated" href="data:image/png;base64,%s"/>\n'):format(EDGE,
      EDGE + (first - 1) * HEIGHT, width * WIDTH, (last - first + 1) * HEIGHT, encode(x))
end

--- The screen as an SVG document.
-- @string title for those who cannot see it
-- @func encode a picture of bytes -> a PNG file in base 64
function Screen:svg(title, encode)
   local rows = table.maxn(self.lines)
   local width, height = self.columns * WIDTH + 2 * EDGE, rows * HEIGHT + 2 * EDGE
   local out = { ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" '
      .. 'viewBox="0 0 %d %d">\n<title>%s</title>\n'):format(width, height, width,
      height, title),
      ('<rect width="%d" height="%d" rx="8" fill="%s"/>\n'):format(width, height, PAPER),
      picture(self.lines, self.columns, encode),
      ('<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="13" '
         .. 'fill="%s">\n'):format(INK) }
   for row = 1, rows do
      for _, run in ipairs(runs(self.lines[row] or {})) do
         local text = run.text:gsub('%s+$', '')
         local letters = select(2, text:gsub('[^\128-\191]', ''))
         out[#out + 1] = ('<text x="%d" y="%d" textLength="%d"%s%s>%s</text>\n'):format(
            EDGE + (run.first - 1) * WIDTH, EDGE + row * HEIGHT - 4, letters * WIDTH,
            run.style.ink and (' fill="%s"'):format(run.style.ink) or '',
            run.style.bold and ' font-weight="bold"' or '', (text:gsub('[<>&]', entities)))
      end
   end
   out[#out + 1] = '</g>\n</svg>\n'
   return table.concat(out)
end

return M
