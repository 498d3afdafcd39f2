--- Pictures of graphs, drawn by Graphviz' programs where it is installed (Debian's package
-- graphviz).
-- @module graph.graphviz

local ffi = require 'ffi'
local torch = require 'torch'
local paths = require 'paths'
local language = require 'graph.language'
local raise = require('torch.errors').raise

local M = {}

local function quote(text)
   return "'" .. text:gsub("'", "'\\''") .. "'"
end

local function write(operation, path, text)
   local file, message = io.open(path, 'w')
   if not file then
      raise(('%s: cannot write %s'):format(operation, message))
   end
   file:write(text)
   file:close()
end

local function need_programs(operation, note)
   if not paths.findprogram 'dot' then
      raise(("%s: %sa picture needs Graphviz, whose program 'dot' is not on the PATH: install "
         .. 'the package graphviz'):format(operation, note or ''))
   end
end

-- Run Graphviz' layout `algorithm` over a graph's text; its output goes to a file.
local function render(operation, text, algorithm, format, target)
   local source, complaints = os.tmpname(), os.tmpname()
   write(operation, source, text)
   local status = os.execute(('dot -K%s -T%s -o %s %s 2> %s'):format(quote(algorithm),
      quote(format), quote(target), quote(source), quote(complaints)))
   local file = io.open(complaints)
   local said = file:read '*a'
   file:close()
   os.remove(source)
   os.remove(complaints)
   if status ~= 0 and status ~= true then
      raise(('%s: dot: %s'):format(operation, said))
   end
end

--- Draw a graph into a file, in the format that its name ends in.
-- @tparam graph.Graph g
-- @string[opt='dot'] algorithm how nodes are placed: dot, neato, fdp, circo, twopi, …
-- @string fname for example 'net.svg'
-- @raise "a picture needs Graphviz", "'net' does not end in a format such as .svg"
-- @usage graph.graphvizFile(g, [algorithm,] fname)
function M.graphvizFile(g, algorithm, fname)
   if fname == nil then
      algorithm, fname = 'dot', algorithm
   end
   local format = tostring(fname):match '%.(%w+)$'
   if not format then
      raise(("graph.graphvizFile: '%s' does not end in a format such as .svg"):format(
         tostring(fname)))
   end
   need_programs 'graph.graphvizFile'
   render('graph.graphvizFile', language.text(g), algorithm or 'dot', format, fname)
end

--- Where Graphviz would place the nodes.
-- @tparam graph.Graph g
-- @string[opt='dot'] algorithm dot, neato, fdp, circo, twopi, …
-- @treturn Tensor n x 2: x to the right and y upwards of each node, in inches
-- @raise "a picture needs Graphviz"
function M.graphvizLayout(g, algorithm)
   need_programs 'graph.graphvizLayout'
   local target = os.tmpname()
   render('graph.graphvizLayout', language.text(g), algorithm or 'dot', 'plain', target)
   local positions = torch.zeros(#g.nodes, 2)
   for line in io.lines(target) do
      local node, x, y = line:match '^node n(%d+) (%S+) (%S+)'
      if node then
         positions[tonumber(node)][1], positions[tonumber(node)][2] = tonumber(x), tonumber(y)
      end
   end
   os.remove(target)
   return positions
end

-- Show a file on the screen; false where there is none.
local function show(path)
   local program = ffi.os == 'OSX' and 'open' or 'xdg-open'
   local has_screen = ffi.os == 'OSX' or os.getenv 'DISPLAY' or os.getenv 'WAYLAND_DISPLAY'
   if not has_screen or not paths.findprogram(program) then
      return false
   end
   os.execute(('%s %s > /dev/null 2>&1 &'):format(program, quote(path)))
   return true
end

--- Write a text in Graphviz' language to `fname`.dot and draw it as `fname`.svg; without a name the
-- picture is shown on the screen, or its name is printed where there is none.
function M.draw(operation, text, fname)
   local base = fname or os.tmpname()
   write(operation, base .. '.dot', text)
   need_programs(operation, ('%s.dot is written; '):format(base))
   render(operation, text, 'dot', 'svg', base .. '.svg')
   if not fname and not show(base .. '.svg') then
      print(('%s: %s.svg'):format(operation, base))
   end
end

--- Draw a graph: `fname`.dot and `fname`.svg. Without a name the picture is shown on the screen.
-- Of a net, `graph.dot(net.fg, 'Net', 'net')` draws the forward and `net.bg` the backward graph.
-- @tparam graph.Graph g
-- @string[opt] title
-- @string[opt] fname without an ending
-- @raise "net.dot is written; a picture needs Graphviz"
function M.dot(g, title, fname)
   M.draw('graph.dot', language.text(g, title), fname)
end

return M
