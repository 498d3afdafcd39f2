---@meta gnuplot
-- Written by `th docs/make_definitions.lua` from the docstrings; not to be edited.

---@class gnuplot
gnuplot = {}

---The axes: 'auto' shows all data, 'image' or 'equal' draws a circle as a circle, 'fill' takes all
---room; or limits, of which '' leaves one as it is.
---@param ... any
function gnuplot.axis(...) end

---Plot the heights of a tensor as bars.
---@param t any vector
---@param width? number of a bar (number, default 0.8)
function gnuplot.bar(t, width) end

---Close a figure; a window stays, a file is drawn.
---@param n? integer the current figure otherwise (integer, optional)
function gnuplot.close(n) end

---Close all figures.
function gnuplot.closeall() end

---The commands of a figure, as gnuplot is given them.
---@param n? integer the current figure otherwise (integer, optional)
---@return string
function gnuplot.commands(n) end

---Begin a figure that goes into a file, when plotflush or close is called, or the process ends.
---@param file string (string)
---@param n? integer the figure's number (integer, optional)
---@return any
function gnuplot.epsfigure(file, n) end

---Draw the current figure into a file as well, of the kind that its name ends in: png, eps, svg,
---pdf.
---@param file string (string)
function gnuplot.figprint(file) end

---Go to a figure, which is made if there is none of that number; without one to a new figure.
---@param n? integer (integer, optional)
---@return any
function gnuplot.figure(n) end

---The number of the current figure; nil without one.
function gnuplot.getfigure() end

---Lines at the marks of the axes, or none.
---@param toggle any true, false, 'on' or 'off'
function gnuplot.grid(toggle) end

---Plot how the elements of a tensor are distributed.
---@param t torch.Tensor tensor of any dimensions
---@param bins? integer how many (integer, optional)
---@param min? number (number, optional)
---@param max? number (number, optional)
---@return any
function gnuplot.hist(t, bins, min, max) end

---Count the elements of a tensor by bins.
---@param t torch.Tensor tensor of any dimensions
---@param bins? integer how many; the root of a tenth of the elements otherwise (integer, optional)
---@param min? number elements below do not count; the least element otherwise (number, optional)
---@param max? number (number, optional)
---@return table
function gnuplot.histc(t, bins, min, max) end

---Plot a matrix as an image, the first row on top.
---@param z any matrix
---@param palette? string 'gray' or 'color' (string, default 'gray')
function gnuplot.imagesc(z, palette) end

---A y axis in powers of ten, or an even one.
---@param toggle any true, false, 'on' or 'off'
function gnuplot.logscale(toggle) end

---Where the legend stands.
---@param hloc string 'left', 'right' or 'center' (string)
---@param vloc string 'top', 'bottom' or 'middle' (string)
function gnuplot.movelegend(hloc, vloc) end

---Begin a figure that goes into a file, when plotflush or close is called, or the process ends.
---@param file string (string)
---@param n? integer the figure's number (integer, optional)
---@return any
function gnuplot.pdffigure(file, n) end

---Plot curves: y over 1, 2, ..., or y over x; a matrix has x in its first column and a curve in
---each other one. Styles: `-` lines, `+` points, `.` dots, `+-` both, `~` smooth, `|` boxes, `v`
---arrows (x and y of two columns: where they begin, and how far they go), or gnuplot's own: 'with
---lines lw 2'. What is no finite number is a gap; where there is nothing else, nothing is drawn,
---which is said on stderr.
---@overload fun(y: torch.Tensor)
---@overload fun(title: any, x: torch.Tensor, y: torch.Tensor, style?: any)
---@overload fun(title: any, x: torch.Tensor, style?: any)
---@overload fun(x: torch.Tensor, y: torch.Tensor, style?: any)
---@overload fun(x: torch.Tensor, style?: any)
---@param ... any
---@return any
function gnuplot.plot(...) end

---Draw what was not drawn yet: a figure that goes into a file is in it then. On a text terminal
---the figure is shown again with what was set since.
---@param n? integer the figure's number; all figures that go into files, and the current one, otherwise (integer, optional)
function gnuplot.plotflush(n) end

---Begin a figure that goes into a file, when plotflush or close is called, or the process ends.
---@param file string (string)
---@param n? integer the figure's number (integer, optional)
---@return any
function gnuplot.pngfigure(file, n) end

---Give a command to gnuplot as it is. One that plots takes the place of what was plotted.
---@param command string (string)
function gnuplot.raw(command) end

---Plot points in space.
---@overload fun(title: any, x: torch.Tensor, y: torch.Tensor, z: torch.Tensor)
---@overload fun(x: torch.Tensor, y: torch.Tensor, z: torch.Tensor)
---@param ... any
---@return any
function gnuplot.scatter3(...) end

---Begin a figure that goes into a file as gnuplot's commands, with its data: `gnuplot -p file`
---draws it. This needs no gnuplot.
---@param file string (string)
---@param n? integer the figure's number (integer, optional)
---@return any
function gnuplot.scriptfigure(file, n) end

---Use another program from now on, which has to be gnuplot.
---@param path string (string)
function gnuplot.setgnuplotexe(path) end

---Terminal for figures that go to no file, from now on: 'dumb', 'qt', 'x11', or with options:
---'dumb size 120,40'.
---@param name string (string)
function gnuplot.setterm(name) end

---Plot matrices as surfaces: z over rows and columns, or z over x and y.
---@overload fun(title: any, x: torch.Tensor, y: torch.Tensor, z: torch.Tensor)
---@overload fun(title: any, z: torch.Tensor)
---@overload fun(x: torch.Tensor, y: torch.Tensor, z: torch.Tensor)
---@overload fun(z: torch.Tensor)
---@param ... any
---@return any
function gnuplot.splot(...) end

---Begin a figure that goes into a file, when plotflush or close is called, or the process ends.
---@param file string (string)
---@param n? integer the figure's number (integer, optional)
---@return any
function gnuplot.svgfigure(file, n) end

---The title of the figure; the labels of its axes.
---@overload fun(text: any)
---@param ... any
---@return any
function gnuplot.title(...) end

---The title of the figure; the labels of its axes.
---@param ... any
function gnuplot.xlabel(...) end

---The title of the figure; the labels of its axes.
---@param ... any
function gnuplot.ylabel(...) end

---The title of the figure; the labels of its axes.
---@param ... any
function gnuplot.zlabel(...) end

return gnuplot
