-- What gnuplot is told, what the program makes of it, and what is refused.
local torch = require 'torch'
local gnuplot = require 'gnuplot'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'

local x = torch.range(1, 3)
local y = torch.DoubleTensor { 4, 0.5, -1e10 }

-- The commands of a figure that f draws; it is a script, which needs no program.
local function commands(f)
   local path = os.tmpname()
   gnuplot.scriptfigure(path, 77)
   local ok, message = pcall(f)
   gnuplot.close(77)
   local text = shell.read(path)
   os.remove(path)
   if not ok then
      error(message, 0)
   end
   return (text:gsub('^set autoscale\n', ''))
end

local function plot(...)
   local arguments = { n = select('#', ...), ... }
   return commands(function()
      gnuplot.plot(unpack(arguments, 1, arguments.n))
   end)
end

local DATA = '$data1 << EOD\n1 4\n2 0.5\n3 -1e+10\nEOD\n'

describe('gnuplot is told', function()
   after_each(gnuplot.closeall)

   it('curves in every form of arguments', function()
      for _, case in ipairs {
         { 'notitle', y }, { 'notitle', x, y }, { 'title "a"', 'a', y }, { 'title "a"', 'a', x, y },
         { 'notitle with lines', y, '-' }, { 'notitle with points', x, y, '+' },
         { 'notitle with dots', x, y, '.' }, { 'title "a" with linespoints', 'a', x, y, '+-' },
         { 'notitle with boxes', x, y, '|' }, { 'notitle with lines lw 2', y, 'with lines lw 2' },
         { 'smooth csplines notitle with lines', x, y, '~' }, { 'notitle', { y } },
         { 'title "a" with lines', { 'a', x, y, '-' } },
         { 'title "it\\047s"', "it's", y:float() },
         { 'notitle', x:int(), y:view(1, 3) },
         { 'title "a smooth fit "', 'a smooth fit ', y },
         { 'smooth csplines title "a smooth curve" with lines', 'a smooth curve', y, '~' },
         { 'smooth unique title "a" with lines', 'a', y, 'with lines smooth unique' },
      } do
         assert.equal(DATA .. 'plot $data1 using 1:2 ' .. case[1] .. '\n',
            plot(unpack(case, 2, #case)))
      end
   end)

   it('several curves, as arguments or in one table', function()
      local wanted = DATA .. DATA:gsub('data1', 'data2')
         .. 'plot $data1 using 1:2 title "a" with lines, $data2 using 1:2 title "Data 2"\n'
      assert.equal(wanted, plot({ 'a', y, '-' }, { x, y }))
      assert.equal(wanted, plot { { 'a', y, '-' }, { x, y } })
   end)

   it('matrices by columns, and arrows', function()
      local m = torch.DoubleTensor { { 1, 2, 3 }, { 4, 5, 6 } }
      local data = '$data1 << EOD\n1 2 3\n4 5 6\nEOD\n'
      assert.equal(data .. 'plot $data1 using 1:2 notitle, $data1 using 1:3 notitle\n', plot(m))
      assert.equal(data .. 'plot $data1 using 1:2:3 notitle with filledcurves fs solid 0.5\n',
         plot(m, 'with filledcurves fs solid 0.5'))
      local a = torch.DoubleTensor { { 1, 0.5 }, { 2, 0.25 } }
      assert.equal('$data1 << EOD\n1 1 0.5 0.5\n2 2 0.25 0.25\nEOD\n'
         .. 'plot $data1 using 1:2:3:4 notitle with vectors\n', plot(a, a, 'v'))
   end)

   it('numbers with all their digits', function()
      local seconds = torch.DoubleTensor { 1700000001, 1700000002.5, 0.1 + 0.2 }
      assert.matches('\n1700000001 1\n1700000002.5 2\n0.30000000000000004 3\n',
         plot(seconds, x), 1, true)
      assert.matches('set xrange [1700000001:1700000003]\n', commands(function()
         gnuplot.hist(seconds, 2, 1700000001, 1700000003)
      end), 1, true)
      assert.matches('set xrange [1700000001.1234567:]\n', commands(function()
         gnuplot.axis { 1700000001.1234567, '', 0, 1 }
         gnuplot.plot(y)
      end), 1, true)
   end)

   it('what is no number as a gap', function()
      assert.matches('1 NaN\n2 NaN\n3 NaN\n4 1\n', plot(torch.DoubleTensor {
         0 / 0, 1 / 0, -1 / 0, 1,
      }), 1, true)
   end)

   it('surfaces and points in space', function()
      local z = torch.DoubleTensor { { 5, 6 }, { 7, 8 } }
      assert.equal('$data1 << EOD\n1 1 5\n1 2 6\n\n2 1 7\n2 2 8\n\nEOD\n'
         .. 'splot $data1 using 1:2:3 notitle with lines\n', commands(function()
            gnuplot.splot(z)
         end))
      assert.matches("5 5 5\n5 6 6\n\n", commands(function()
         gnuplot.splot('z', z:t():clone():fill(5), z, z)
      end), 1, true)
      assert.equal("$data1 << EOD\n1 4 1\n2 0.5 2\n3 -1e+10 3\nEOD\n"
         .. 'splot $data1 using 1:2:3 title "p" with points\n', commands(function()
            gnuplot.scatter3('p', x, y, x)
         end))
   end)

   it('images, bars and histograms', function()
      assert.equal('set palette rgbformulae 33,13,10\nset xrange [0.5:2.5]\nset yrange [1.5:0.5]\n'
         .. '$data1 << EOD\n5 6\nEOD\n'
         .. 'plot $data1 matrix using ($1+1):($2+1):3 notitle with image\n', commands(function()
            gnuplot.imagesc(torch.DoubleTensor { { 5, 6 } }, 'color')
         end))
      assert.equal('set boxwidth 0.5\nset style fill solid 0.5\n' .. DATA
         .. 'plot $data1 using 1:2 notitle with boxes\n', commands(function()
            gnuplot.bar(y, 0.5)
         end))
      local h
      assert.equal('set boxwidth 1\nset style fill solid 0.5\nset xrange [0:3]\nset yrange [0:*]\n'
         .. '$data1 << EOD\n0.5 1\n1.5 2\n2.5 1\nEOD\nplot $data1 using 1:2 notitle with boxes\n',
         commands(function()
            h = gnuplot.hist(torch.DoubleTensor { { 0.5, 1 }, { 1.5, 3 } }, 3, 0, 3)
         end))
      assert.same({ val = 1.5, nb = 2 }, h[2])
      assert.same({ 1, 2, 1 }, h.hist:totable())
      assert.equal(3, #gnuplot.histc(torch.ones(4), 3))
      assert.matches('%*\n', tostring(h))
   end)

   it('settings before what is plotted, the last ones only', function()
      assert.equal('set xlabel "x"\nset ylabel "y"\nset zlabel "z"\nset title "a\\nb\\140c\\140"\n'
         .. 'set grid\nset logscale y\nset key left center\n'
         .. 'set xrange [-1:1]\nset yrange [:2]\nset size ratio -1\nset xtics rotate\n'
         .. DATA .. 'plot $data1 using 1:2 notitle\n', commands(function()
            gnuplot.title 'gone'
            gnuplot.plot(y, '-')
            gnuplot.plot(y)
            gnuplot.xlabel 'x'
            gnuplot.ylabel 'y'
            gnuplot.zlabel 'z'
            gnuplot.title 'a\nb`c`'
            gnuplot.grid(true)
            gnuplot.logscale 'on'
            gnuplot.movelegend('left', 'middle')
            gnuplot.axis { -1, 1, '', 2 }
            gnuplot.axis 'fill'
            gnuplot.axis 'image'
            gnuplot.raw 'set xtics rotate'
         end))
      local text = commands(function()
         gnuplot.plot(y)
         gnuplot.grid 'off'
         gnuplot.logscale(false)
         gnuplot.axis 'auto'
         gnuplot.raw 'plot sin(x)'
         gnuplot.axis 'fill'
      end)
      assert.equal('unset grid\nunset logscale y\nset autoscale\nset size noratio\nplot sin(x)\n',
         text)
   end)

   it('all plots of a multiplot, in their order', function()
      assert.equal('set multiplot layout 1,2\nplot x\nset grid\nplot 2*x\n', commands(function()
         gnuplot.raw 'set multiplot layout 1,2'
         gnuplot.raw 'plot x'
         gnuplot.grid(true)
         gnuplot.raw 'plot 2*x'
      end))
   end)

   it('nothing that cannot be stored', function()
      gnuplot.scriptfigure '/dev/full'
      gnuplot.plot(x)
      raises("gnuplot: the script: '/dev/full': write error: No space left on device",
         gnuplot.plotflush)
      raises("gnuplot: the script: '/dev/full': write error", gnuplot.close)
   end)

   it('about figures by their numbers', function()
      local path = os.tmpname()
      assert.equal(1, gnuplot.scriptfigure(path))
      assert.equal(5, gnuplot.figure(5))
      assert.equal(6, gnuplot.figure())
      assert.equal(6, gnuplot.getfigure())
      assert.equal(1, gnuplot.figure(1))
      gnuplot.title 'one'
      assert.equal('set title "one"\n', gnuplot.commands(1))
      assert.equal('', gnuplot.commands(5))
      gnuplot.close(1)
      raises('there is no figure 1', gnuplot.plotflush, 1)
      gnuplot.closeall()
      assert.is_nil(gnuplot.getfigure())
      os.remove(path)
   end)
end)

-- --- the program --------------------------------------------------------------------------------

-- What a script prints in a process of its own.
local function output(script, environment)
   return (shell.run(('env -u DISPLAY -u WAYLAND_DISPLAY -u GNUTERM %s %s -e %s </dev/null'):format(
      environment or '', shell.quoted(os.getenv 'TH_EXECUTABLE'),
      shell.quoted("local torch, gnuplot = require 'torch', require 'gnuplot' " .. script))))
end

describe('the program gnuplot', function()
   after_each(gnuplot.closeall)

   it('draws text where there is no display', function()
      local text = output "gnuplot.plot('line', torch.range(10, 1, -1), '-') gnuplot.plotflush()"
      local lines, stars = 0, {}
      for line in text:gmatch '[^\n]*\n' do
         lines = lines + 1
         local star = line:match '^%s*%d*%.?%d* |[+-]?()[^|]*%*[^|]*|'
         if star and not line:match 'line' then
            table.insert(stars, (line:find('*', 1, true)))
         end
      end
      assert.is_true(lines >= 24 and lines <= 26, text)
      assert.matches('line %*+', text)
      assert.is_true(#stars > 10)
      for i = 2, #stars do -- a line that falls goes to the right as one reads down
         assert.is_true(stars[i] >= stars[i - 1], text)
      end
   end)

   it('shows text again when it was changed, and only then', function()
      local _, once = output "gnuplot.plot(torch.range(1, 10)) gnuplot.plotflush()":gsub('\n', '')
      local text = output "gnuplot.plot(torch.range(1, 10)) gnuplot.title 'new' gnuplot.plotflush()"
      local _, twice = text:gsub('\n', '')
      assert.equal(2 * once, twice)
      assert.matches('new', text)
   end)

   it('takes another terminal, and what GNUTERM says', function()
      local text = output "gnuplot.setterm 'dumb size 40,10' gnuplot.plot(torch.range(1, 10))"
      assert.equal(40, #text:match '\n([^\n]*%-%-%-[^\n]*)\n')
      assert.matches('^%s*<%?xml', (output("gnuplot.plot(torch.range(1, 3))", 'GNUTERM=svg')))
   end)

   it('writes pictures with labels that came after the plot', function()
      shell.with_folder(function(folder)
         gnuplot.svgfigure(folder .. '/x.svg')
         gnuplot.plot('the curve', x, x, '-')
         gnuplot.xlabel "what's below"
         gnuplot.plotflush()
         local svg = shell.read(folder .. '/x.svg')
         assert.matches('the curve', svg)
         assert.matches("what.*s below", svg)
         assert.matches('</svg>%s*$', svg)
         local _, pictures = svg:gsub('<svg', '')
         assert.equal(1, pictures)
         gnuplot.figprint(folder .. '/y.png')
         gnuplot.pngfigure(folder .. '/x.png')
         gnuplot.imagesc(torch.rand(4, 4))
         gnuplot.epsfigure(folder .. '/x.eps')
         gnuplot.splot(torch.rand(4, 4))
         gnuplot.pdffigure(folder .. '/x.pdf')
         gnuplot.scatter3(x, x, x)
         gnuplot.closeall()
         for name, start in pairs {
            ['y.png'] = '\137PNG\r\n\26\n\0\0\0\rIHDR\0\0\2\128\0\0\1\224', -- 640 x 480
            ['x.png'] = '\137PNG\r\n\26\n\0\0\0\rIHDR\0\0\2\128\0\0\1\224',
            ['x.eps'] = '%!PS-Adobe-2.0 EPSF-2.0', ['x.pdf'] = '%PDF-',
         } do
            assert.equal(start, shell.read(folder .. '/' .. name):sub(1, #start), name)
         end
      end)
   end)

   it('draws a file that nobody flushed when the process ends', function()
      shell.with_folder(function(folder)
         assert.equal('', output(("gnuplot.svgfigure '%s/x.svg' gnuplot.plot(torch.ones(3)) "
            .. "gnuplot.title 'late'"):format(folder)))
         assert.matches('late', shell.read(folder .. '/x.svg'))
      end)
   end)

   it('tells when there is no room for what is drawn', function()
      gnuplot.svgfigure '/dev/full'
      gnuplot.plot(x)
      raises("gnuplot: the picture: '/dev/full': write error: No space left on device",
         gnuplot.plotflush)
      pcall(gnuplot.close)
      local text = output [[io.stdout = io.open('/dev/full', 'w')
         print(pcall(gnuplot.plot, torch.range(1, 3)))]]
      assert.matches('the plot cannot be written to the standard output: No space', text, 1, true)
   end)

   it('draws nothing where there is no number, says so, and goes on', function()
      shell.with_folder(function(folder)
         local text = output(([[
            local nan = torch.Tensor { 0 / 0, 1 / 0 }
            gnuplot.svgfigure '%s/x.svg'
            gnuplot.plot(torch.range(1, 3))
            gnuplot.plotflush()
            gnuplot.plot('loss', nan)
            gnuplot.plotflush()
            gnuplot.splot(nan:view(1, 2))
            gnuplot.plotflush()
            gnuplot.scatter3(nan, nan, nan)
            gnuplot.plotflush()
            gnuplot.figure()
            gnuplot.plot(nan)
            gnuplot.figure()
            gnuplot.axis { 10, 20, '', '' }
            gnuplot.plot(torch.range(1, 3))
            print 'goes on']]):format(folder))
         local _, times = text:gsub('gnuplot: nothing is drawn: all points [xyz] value undefined '
            .. '%(nan, infinite', '')
         assert.equal(5, times, text)
         assert.matches('goes on\n$', text)
         assert.matches('</svg>%s*$', shell.read(folder .. '/x.svg')) -- the picture of before
      end)
   end)

   it('runs the scripts that are written', function()
      shell.with_folder(function(folder)
         gnuplot.scriptfigure(folder .. '/x.gp')
         gnuplot.plot({ 'a', x, y, '~' }, { x, y, '|' })
         gnuplot.close()
         local text, status = shell.run(("gnuplot -e 'set term dumb' '%s/x.gp'"):format(folder))
         assert.equal(0, status, text)
         assert.matches('a %*', text)
      end)
   end)

   it('tells what it cannot do, and the figure stays as it was', function()
      shell.with_folder(function(folder)
         gnuplot.svgfigure(folder .. '/x.svg')
         gnuplot.raw 'plot nonsense('
         raises('gnuplot: the program refuses: plot nonsense(', gnuplot.plotflush)
         gnuplot.plot(y)
         gnuplot.plotflush()
         assert.matches('</svg>', shell.read(folder .. '/x.svg'))
      end)
   end)

   it('runs nothing that stands in a title', function()
      shell.with_folder(function(folder)
         gnuplot.svgfigure(folder .. '/x.svg')
         gnuplot.plot(('`touch %s/a`'):format(folder), y)
         gnuplot.title(('"`touch %s/b`" $(touch %s/c)'):format(folder, folder))
         gnuplot.xlabel(("'.system('touch %s/d').'"):format(folder))
         gnuplot.plotflush()
         assert.equal('x.svg\n', (shell.run(("ls '%s'"):format(folder))))
      end)
   end)

   it('that is missing is named with its package', function()
      local text = output [[require('ffi').cdef 'int setenv(const char *, const char *, int);'
         require('ffi').C.setenv('PATH', '/none', 1) gnuplot.plot(torch.ones(3))]]
      assert.matches('gnuplot: the program gnuplot is not installed (Debian: apt-get install '
         .. 'gnuplot-nox)', text, 1, true)
      raises("gnuplot: there is no program '/none/gnuplot'", gnuplot.setgnuplotexe, '/none/gnuplot')
      raises("'/bin/true' does not answer as gnuplot does", gnuplot.setgnuplotexe, '/bin/true')
      gnuplot.setgnuplotexe 'gnuplot'
   end)
end)

describe('gnuplot refuses', function()
   after_each(gnuplot.closeall)

   it("matplotlib's styles, with gnuplot's words for them, which it draws", function()
      for style, words in pairs {
         ['r-'] = "with lines linecolor 'red'", ['k'] = "with lines linecolor 'black'",
         ['o'] = 'with points',
         ['b--'] = "with lines dashtype 2 linecolor 'blue'", [':'] = 'with lines dashtype 3',
         ['-.g'] = "with lines dashtype 4 linecolor 'green'",
         ['ro-'] = "with linespoints linecolor 'red'", ['*c'] = "with points linecolor 'cyan'",
      } do
         raises(('gnuplot: plot: the style \'%s\' is matplotlib\'s; here it is "%s"'):format(style,
            words), gnuplot.plot, x, x, style)
         shell.with_folder(function(folder)
            gnuplot.svgfigure(folder .. '/x.svg')
            gnuplot.plot(torch.range(1, 3), words)
            gnuplot.plotflush()
            assert.matches('</svg>%s*$', shell.read(folder .. '/x.svg'))
            gnuplot.closeall()
         end)
      end
      for _, style in ipairs { 'rr', 'r-x-', 'line', '' } do
         raises(("the style '%s' is unknown"):format(style), gnuplot.plot, x, style)
      end
   end)

   it('arguments that mean nothing', function()
      for text, call in pairs {
         ['plot: nothing to plot'] = { gnuplot.plot },
         ['plot: expected tensors, before them a title, behind them a style; got a boolean']
            = { gnuplot.plot, x, true },
         ['plot: numbers are drawn from a tensor: torch.Tensor { 3, ... }'] = { gnuplot.plot, 3 },
         ['plot: numbers are drawn from a tensor: torch.Tensor { 1, ... }']
            = { gnuplot.plot, { 1, 2 }, { 3, 4 } },
         ['plot: a tensor follows a style, which is the last of a curve']
            = { gnuplot.plot, x, '-', y, '+' },
         ['plot: no tensor is given'] = { gnuplot.plot, 'a' },
         ["plot: the style 'wide' is unknown; expected '-', '+'"] = { gnuplot.plot, y, 'wide' },
         ['plot: x has 3 elements (3), and y has 4 (4); expected as many']
            = { gnuplot.plot, x, torch.ones(4) },
         ['plot: 3 tensors for one curve'] = { gnuplot.plot, x, x, x },
         ['plot: argument 2 is a torch.DoubleTensor; expected a table']
            = { gnuplot.plot, { x }, x },
         ['plot: a tensor is empty'] = { gnuplot.plot, torch.Tensor() },
         ['plot: a tensor of 3 dimensions (1x1x2)'] = { gnuplot.plot, torch.ones(1, 1, 2) },
         ["plot: vectors ('v') want x and y of two columns"] = { gnuplot.plot, x, x, 'v' },
         ['splot: expected matrices of one size, got 3 and 3'] = { gnuplot.splot, x },
         ['splot: 2 tensors for one surface'] = { gnuplot.splot, x, x },
         ['scatter3: expected x, y and z'] = { gnuplot.scatter3, x, x },
         ['imagesc: expected a matrix, got a tensor of 1 dimensions'] = { gnuplot.imagesc, x },
         ["imagesc: the palette is 'gray' or 'color', got jet"]
            = { gnuplot.imagesc, torch.ones(2, 2), 'jet' },
         ['bar: the width is -1'] = { gnuplot.bar, x, -1 },
         ['hist: expected a tensor with elements, got a number'] = { gnuplot.hist, 3 },
         ['histc: 0 bins; expected a whole number'] = { gnuplot.histc, x, 0 },
         ['histc: max 1 is less than min 2'] = { gnuplot.histc, x, 3, 2, 1 },
         ['histc: the tensor has elements that are no finite numbers']
            = { gnuplot.histc, torch.DoubleTensor { 1, 1 / 0 } },
         ['title: expected a text, got nil'] = { gnuplot.title },
         ["grid: expected true, false, 'on' or 'off', got nil"] = { gnuplot.grid },
         ["movelegend: expected 'left', 'right' or 'center'"]
            = { gnuplot.movelegend, 'up', 'left' },
         ["axis: expected 'auto', 'image', 'equal', 'fill' or { xmin, xmax, ymin, ymax }, got wide"]
            = { gnuplot.axis, 'wide' },
         ["axis: limit 2 is a; expected a number"] = { gnuplot.axis, { 1, 'a', 1, 1 } },
         ['raw: expected a command of gnuplot, got nil'] = { gnuplot.raw },
         ['figure: expected the number of a figure, from 1 on, got 0'] = { gnuplot.figure, 0 },
         ["pngfigure: cannot write 'no/x.png': its directory does not exist: make no first"]
            = { gnuplot.pngfigure, 'no/x.png' },
         ['svgfigure: expected a file name, got nil'] = { gnuplot.svgfigure },
         ["figprint: 'x.jpg' says no kind of picture"] = { gnuplot.figprint, 'x.jpg' },
         ['setterm: expected a terminal of gnuplot'] = { gnuplot.setterm, '`x`' },
      } do
         local path = os.tmpname()
         gnuplot.scriptfigure(path, 1)
         raises('gnuplot: ' .. text, unpack(call))
         os.remove(path)
         gnuplot.closeall()
         os.remove(path)
      end
   end)
end)
