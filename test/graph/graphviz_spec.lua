-- Graphviz is not needed here: a program `dot` in a folder of ours stands in for it, and writes its
-- arguments and its input to the file that it is to make.
local graph = require 'graph'
local paths = require 'paths'
local raises = require 'test.support.raises'

local PROGRAM = [[
#!/bin/sh
target=; last=
for a; do [ "$last" = -o ] && target=$a; last=$a; done
if [ "$2" = -Tplain ]; then
   printf 'graph 1 3 3\nnode n2 1.5 0.5 1 1 x\nnode n1 1.5 2.5 1 1 x\nstop\n' > "$target"
elif [ "$1" = -Kwrong ]; then
   echo 'no such layout' >&2; exit 3
else
   { echo "$1 $2"; cat "$last"; } > "$target"
fi
]]

local content = require 'test.support.shell'.read

describe('pictures of graphs', function()
   local folder, g
   local find = paths.findprogram

   before_each(function()
      folder = os.tmpname()
      os.remove(folder)
      paths.mkdir(folder)
      g = graph.Graph()
      g:add(graph.Edge(graph.Node 'a', graph.Node 'b'))
   end)

   after_each(function()
      paths.findprogram = find
      paths.rmall(folder, 'yes')
   end)

   -- The commands of a function run with our `dot` in front of the path.
   local function with_program(f)
      local file = io.open(folder .. '/dot', 'w')
      file:write(PROGRAM)
      file:close()
      os.execute('chmod +x ' .. folder .. '/dot')
      local execute = os.execute
      paths.findprogram = function(name)
         return name == 'dot' and folder .. '/dot' or find(name)
      end
      rawset(os, 'execute', function(command)
         return execute(('PATH=%s:$PATH; %s'):format(folder, command))
      end)
      local ok, err = pcall(f)
      rawset(os, 'execute', execute)
      assert(ok, err)
   end

   local function without_program(f, ...)
      paths.findprogram = function() end
      local arguments = { ... }
      return function()
         return f(unpack(arguments))
      end
   end

   it('are drawn by dot', function()
      with_program(function()
         graph.dot(g, 'Title', folder .. '/net')
         assert.matches('^%-Kdot %-Tsvg\ndigraph Title', content(folder .. '/net.svg'))
         assert.equal(g:todot 'Title', content(folder .. '/net.dot'))
         graph.graphvizFile(g, 'neato', folder .. '/net.png')
         assert.matches('^%-Kneato %-Tpng\ndigraph G', content(folder .. '/net.png'))
         assert.same({ { 1.5, 2.5 }, { 1.5, 0.5 } }, graph.graphvizLayout(g, 'dot'):totable())
         raises('dot: no such layout', graph.graphvizFile, g, 'wrong', folder .. '/x.svg')
      end)
   end)

   it('need Graphviz; its text does not', function()
      raises('net.dot is written; a picture needs Graphviz',
         without_program(graph.dot, g, 'Title', folder .. '/net'))
      assert.equal(g:todot 'Title', content(folder .. '/net.dot'))
      raises('graph.graphvizLayout: a picture needs Graphviz',
         without_program(graph.graphvizLayout, g, 'dot'))
      raises('install the package graphviz',
         without_program(graph.graphvizFile, g, 'dot', folder .. '/x.svg'))
      raises("'net' does not end in a format", graph.graphvizFile, g, 'dot', 'net')
      raises('cannot write /nonexistent/x.dot', graph.dot, g, 'x', '/nonexistent/x')
   end)
end)
