---@meta image
-- Written by `th docs/make_definitions.lua` from the docstrings; not to be edited.

---@class image
image = {}

---The low-level functions of byte tensors, x.image: image.byte.scaleBilinear(src, dst).
image.byte = {}

---The low-level functions of double tensors, x.image.
image.double = {}

---The low-level functions of float tensors, x.image.
image.float = {}

---The most pixels that a file may say it has, 2^28 (16384 x 16384): a few bytes can claim far more
---than there is memory. Set it where a picture is larger and the file can be trusted.
image.maxPixels = 0

---What can be read and written: extension -> table of functions `loader` (file, depth, type),
---`saver` (file, tensor) and `sizer` (file).
image.supported_filetypes = {}

---A picture under an affine map about its centre: dst(p) = src(c + M (p - c) - t) for p = (y, x).
---@param dst? any result, of src's size (optional)
---@param src? any picture
---@param matrix? any 2 x 2, M
---@param mode? any as image.warp (default 'bilinear')
---@param translation? any t = (y, x), a tensor or a table (default {0,0})
---@param clamp_mode? any as image.warp (default 'clamp')
---@param pad_val? any as image.warp (default 0)
function image.affinetransform(dst, src, matrix, mode, translation, clamp_mode, pad_val) end

---n colours that are as far from each other as hues can be: evenly spread on the wheel, full
---saturation and value.
---@param n number number
---@return integer
function image.colormap(n) end

---A JPEG file in memory.
---@param tensor any as image.saveJPG
---@param quality? any 1 to 100 (default 75)
---@return any
function image.compressJPG(tensor, quality) end

---A PNG file in memory.
---@param tensor any as image.savePNG
---@param bits? any 8 or 16 for a sample (default 8)
---@return any
function image.compressPNG(tensor, bits) end

---A picture convolved with a kernel (torch.conv2: the kernel is mirrored).
---@param dst? any result (optional)
---@param src? any H x W or C x H x W
---@param kernel? any h x w: the same for each plane; or C x h x w: one for each
---@param mode? any 'valid': where the kernel lies wholly within, H - h + 1 rows; 'full': every overlap, H + h - 1 rows; 'same': the middle of that, H rows (default 'valid')
function image.convolve(dst, src, kernel, mode) end

---A part of a picture, as a copy.
---@param dst? any result (optional)
---@param src? any picture
---@param x1? any first column, counted from 0; or the place of a part of a given size: 'c' (centre), 'tl', 'tr', 'bl', 'br' (top or bottom, left or right)
---@param y1? any first row; or the width
---@param x2? any the column after the last one; or the height. Without x2 and y2 the part has dst's size, or ends where src ends (optional)
---@param y2? any the row after the last one (optional)
function image.crop(dst, src, x1, y1, x2, y2) end

---The picture in a file's bytes, of any format that image.load reads.
---@param bytes any ByteTensor
---@param depth? any as image.load (optional)
---@param type? any as image.load (optional)
---@return torch.Tensor
function image.decompress(bytes, depth, type) end

---The picture in a JPEG file's bytes.
---@param bytes any ByteTensor
---@param depth? any as image.loadJPG (optional)
---@param type? any as image.loadJPG (optional)
---@return torch.Tensor
function image.decompressJPG(bytes, depth, type) end

---The picture in a PNG file's bytes.
---@param bytes any ByteTensor
---@param depth? any as image.loadPNG (optional)
---@param type? any as image.loadPNG (optional)
---@return torch.Tensor
function image.decompressPNG(bytes, depth, type) end

---What is white becomes larger: the largest of x[p - k] for each k of the kernel that is not 0.
---@param src any H x W or C x H x W: zeros and ones, or any grey
---@param kernel? any as image.erode (optional)
---@param pad? any value of what is off the picture (default 0)
---@return any
function image.dilate(src, kernel, pad) end

---Show a picture, or several side by side: in the terminal, by kitty's protocol or as sixels where
---the terminal says that it knows them, in coloured half blocks elsewhere; without a terminal, as
---a PNG file whose name is printed.
---@param image any what image.toDisplayTensor takes: a picture, a batch, a table of pictures
---@param zoom? any factor (default 1)
---@param min? any value that becomes black; by default the smallest (optional)
---@param max? any value that becomes white; by default the largest (optional)
---@param legend? any text printed below (optional)
---@param win? any of an earlier call: takes the picture as well (optional)
---@param x? any without meaning, as y and gui: there are no windows (optional)
---@param y? any (optional)
---@param scaleeach? any as image.toDisplayTensor (default false)
---@param gui? any (optional)
---@param offscreen? any true: only the returned window has the picture (default false)
---@param padding? any as image.toDisplayTensor (default 0)
---@param symm? any as image.minmax (default false)
---@param nrow? any as image.toDisplayTensor (default 6)
---@param saturate? any as image.minmax (default true)
---@param file? any name of a file to which the picture goes, in place of the screen (optional)
---@param as? any 'kitty', 'sixel', 'blocks' or 'file': this, whatever the terminal says (optional)
---@return any
function image.display(image, zoom, min, max, legend, win, x, y, scaleeach, gui, offscreen, padding, symm, nrow, saturate, file, as) end

---The outline of a rectangle; what lies off the picture is left out.
---@param src any 3 x H x W
---@param x1 any column of the left side, counted from 1
---@param y1 any row of the upper side
---@param x2 any column of the right side
---@param y2 any row of the lower side
---@param options? any table: color ({255, 0, 0}: red, green, blue), lineWidth (1: pixels, about the sides), inplace (false: a copy) (optional)
---@return any
function image.drawRect(src, x1, y1, x2, y2, options) end

---Text on a picture, in letters of 5 x 7 dots.
---@param src any 3 x H x W
---@param text string string; '\n' begins a line
---@param x any columns left of the first letter
---@param y any rows above it
---@param options? any table: color ({255, 0, 0}: red, green, blue), bg (colour behind the letters; without, what is there stays), size (1: pixels of a dot), wrap (true: a line that would leave the picture goes on below), inplace (false: a copy) (optional)
---@return any
function image.drawText(src, text, x, y, options) end

---What is white becomes smaller: the smallest of the values under the kernel, x[p + k] for each k
---of it that is not 0.
---@param src any H x W or C x H x W: zeros and ones, or any grey
---@param kernel? any odd numbers of rows and columns, its middle lies over the pixel; by default 3 x 3 ones (optional)
---@param pad? any value of what is off the picture (default 1)
---@return any
function image.erode(src, kernel, pad) end

---A grey picture of 257 x 271, of torch.Tensor's type, 0..1: a part of image.lena's. The picture
---that the function is named after has no licence.
---@param ... any
---@return torch.Tensor
function image.fabio(...) end

---Any tensor, backwards along a dimension.
---@param dst? any result; may be src (optional)
---@param src? torch.Tensor tensor of any number of dimensions and any type of the CPU
---@param dim? any counted from 1
function image.flip(dst, src, dim) end

---A Gaussian of two dimensions: the product of two of image.gaussian1D, its largest value
---`amplitude`.
---@param size? any rows and columns (default 3)
---@param sigma? any standard deviation, as part of the size (default 0.25)
---@param amplitude? any largest value (default 1)
---@param normalize? any true: all add up to 1, whatever the amplitude (default false)
---@param width? any columns, if not `size` (optional)
---@param height? any rows, if not `size` (optional)
---@param sigma_horz? any across, if not `sigma` (optional)
---@param sigma_vert? any down, if not `sigma` (optional)
---@param mean_horz? any place of the largest value, as part of the width (default 0.5)
---@param mean_vert? any and of the height (default 0.5)
---@param tensor? any H x W, where it goes; its size counts (optional)
function image.gaussian(size, sigma, amplitude, normalize, width, height, sigma_horz, sigma_vert, mean_horz, mean_vert, tensor) end

---A Gaussian of one dimension: amplitude e^(-((i - 0.5) / size - mean)^2 / (2 sigma^2)) for i =
---1..size.
---@param size? number number (default 3)
---@param sigma? any standard deviation, as part of the size (default 0.25)
---@param amplitude? any largest value (default 1)
---@param normalize? any true: all add up to 1, whatever the amplitude (default false)
---@param mean? any place of the largest value, as part of the size (default 0.5)
---@param tensor? any where it goes; its size counts (optional)
function image.gaussian1D(size, sigma, amplitude, normalize, mean, tensor) end

---A picture at several scales, smoothed by a Gaussian of half a pixel of the smaller picture
---before it is made smaller.
---@param dst? any table, whose tensors take the results (optional)
---@param src? any H x W or C x H x W
---@param scales? table table of numbers: 0.5 halves both sides
---@return table
function image.gaussianpyramid(dst, src, scales) end

---Channels, height and width of a JPEG file.
---@param file string string
---@return torch.LongTensor
function image.getJPGsize(file) end

---Channels, height and width of a PNG file.
---@param file string string
---@return torch.LongTensor
function image.getPNGsize(file) end

---Channels, height and width of a PPM or PGM file.
---@param file string string
---@return torch.LongTensor
function image.getPPMsize(file) end

---Channels, height and width of a picture in a file; its pixels are not read.
---@param file string string
---@return torch.LongTensor
function image.getSize(file) end

---Left and right exchanged.
---@param dst? any result; may be src (optional)
---@param src? any picture
function image.hflip(dst, src) end

---The inverse of image.rgb2hsl.
---@param dst? any result (optional)
---@param src? any 3 x H x W
function image.hsl2rgb(dst, src) end

---The inverse of image.rgb2hsv.
---@param dst? any result (optional)
---@param src? any 3 x H x W
function image.hsv2rgb(dst, src) end

---Whether a file's name ends as those do that image.save can write.
---@param file string string
---@return boolean
function image.is_supported(file) end

---n colours from dark blue over cyan, yellow and red to dark red. Colour i is, for x = i / n, red
---1.5 - |4 x - 3|, green 1.5 - |4 x - 2|, blue 1.5 - |4 x - 1|, within 0..1.
---@param n number number
---@return integer
function image.jetColormap(n) end

---The inverse of image.rgb2lab.
---@param dst? any result (optional)
---@param src? any 3 x H x W, float or double
function image.lab2rgb(dst, src) end

---The (negative) Laplacian of a Gaussian, amplitude (1 - s) e^-s with s the sum of the exponents
---((i - mean) / sigma)^2 / 2 of both directions: what changes is seen, what is even is not.
---@param size? any as image.gaussian, and so are the others (default 3)
---@param sigma? any (default 0.25)
---@param amplitude? any (default 1)
---@param normalize? any (default false)
function image.laplacian(size, sigma, amplitude, normalize) end

---Local contrast: what a pixel differs from its neighbours' mean, divided by their standard
---deviation.
---
---The picture's mean is taken away first, and it is divided by its standard deviation. A deviation
---below 1e-4 counts as that, so that an even area becomes 0. At the border neighbours off the
---picture are 0.
---@param src any H x W or C x H x W, each plane by itself; float or double
---@param kernel? any weights of neighbours, an odd number of rows and columns; by default a Gaussian of 9 x 9 with a standard deviation of 1.591 pixels (optional)
---@return any
function image.lcn(src, kernel) end

---A portrait in colours, 3 x 512 x 512, of torch.Tensor's type, 0..1: Rear Admiral Grace Hopper, a
---photograph of the United States Navy (public domain), as Torch7's image returns it. The picture
---that the function is named after may not be passed on.
---@param ... any
---@return torch.Tensor
function image.lena(...) end

---Read a picture: JPEG, PNG, PPM or PGM, told apart by their first bytes whatever the file's name.
---@param file string string
---@param depth? any 1 (grey) or 3 (colours); nil: as the file has it (optional)
---@param type? any 'byte' (0..255), 'float' or 'double' (0..1); by default torch.Tensor's type (optional)
---@return torch.Tensor
function image.load(file, depth, type) end

---Read a JPEG file.
---@param file string string
---@param depth? any 1 (grey) or 3; nil: as the file has it (optional)
---@param type? any 'byte' (0..255), 'float' or 'double' (0..1); by default torch.Tensor's type (optional)
---@return torch.Tensor
function image.loadJPG(file, depth, type) end

---Read a PNG file. Palettes become colours; values are the file's, whatever gamma it names.
---@param file string string
---@param depth? any 1 (grey) or 3 (colours, alpha is left out); nil: as the file has it, 2 and 4 being grey and colours with alpha (optional)
---@param type? any 'byte' (0..255; of 16 bits the upper 8), 'float' or 'double' (0..1); by default torch.Tensor's type (optional)
---@return torch.Tensor
function image.loadPNG(file, depth, type) end

---Read a PPM or PGM file (magic numbers P2, P3, P5, P6; up to 16 bits for a sample).
---@param file string string
---@param depth? any 1 (grey) or 3; nil: as the file has it (optional)
---@param type? any 'byte' (0..255), 'float' or 'double' (0..1); by default torch.Tensor's type (optional)
---@return torch.Tensor
function image.loadPPM(file, depth, type) end

---As image.polar, with columns of logarithms of radii: R ^ (i / W) for column i of W.
---@param dst? any result (optional)
---@param src? any picture
---@param interpolation? any 'simple' or 'bilinear' (default 'simple')
---@param mode? any 'valid' or 'full' (default 'valid')
function image.logpolar(dst, src, interpolation, mode) end

---A picture's values moved and scaled so that min..max becomes 0..1.
---@param tensor any the picture
---@param min? any value that becomes 0; by default the smallest (optional)
---@param max? any value that becomes 1; by default the largest (optional)
---@param symm? any true, without min and max: -m..m becomes 0..1 for the largest magnitude m, as suits filters (default false)
---@param inplace? any true: the picture itself is changed (default false)
---@param saturate? any false: values outside of min..max stay outside of 0..1 (default true)
---@param tensorOut? any where the result goes (optional)
---@return any
function image.minmax(tensor, min, max, symm, inplace, saturate, tensorOut) end

---A picture in polar coordinates: rows are angles (against the clock, the first one points to the
---right), columns radii about the centre.
---@param dst? any result, whose size is kept; by default both sides are src's longer one (optional)
---@param src? any picture
---@param interpolation? any 'simple' (the nearest pixel) or 'bilinear' (default 'simple')
---@param mode? any 'valid': radii up to the nearer sides; 'full': up to the corners, and 0 off the picture (default 'valid')
function image.polar(dst, src, interpolation, mode) end

---Hue, saturation and lightness, each 0..1.
---@param dst? any result (optional)
---@param src? any 3 x H x W
function image.rgb2hsl(dst, src) end

---Hue, saturation and value, each 0..1.
---@param dst? any result (optional)
---@param src? any 3 x H x W
function image.rgb2hsv(dst, src) end

---CIE 1976 L*a*b* of an sRGB picture, white point D65: L from 0 to 100.
---@param dst? any result (optional)
---@param src? any 3 x H x W, float or double
function image.rgb2lab(dst, src) end

---Colours without brightness: each channel divided by the sum of all; black stays black.
---@param dst? any result (optional)
---@param src? any 3 x H x W
function image.rgb2nrgb(dst, src) end

---Brightness Y = 0.299 R + 0.587 G + 0.114 B.
---@param dst? any result (optional)
---@param src? any 3 x H x W
---@return any
function image.rgb2y(dst, src) end

---Brightness and two differences of colours, as BT.601 has them: Y as image.rgb2y, U from -0.436
---to 0.436, V from -0.615 to 0.615.
---@param dst? any result (optional)
---@param src? any 3 x H x W, float or double
function image.rgb2yuv(dst, src) end

---A picture turned about its centre, against the clock; what comes from off the picture is 0.
---@param dst? any result, of src's size (optional)
---@param src? any picture
---@param theta? any angle in radians
---@param mode? any 'simple' (the nearest pixel) or 'bilinear' (default 'simple')
function image.rotate(dst, src, theta, mode) end

---Write a picture, in the format that the file's name ends in: jpg, jpeg, png, ppm, pgm or pnm.
---@param file string string
---@param tensor any H x W, 1 x H x W or 3 x H x W; 0..1 (what is outside is limited to that), or bytes
function image.save(file, tensor) end

---Write a JPEG file.
---@param file string string
---@param tensor any H x W, 1 x H x W or 3 x H x W, 0..1, or bytes
---@param quality? any 1 to 100 (default 75)
function image.saveJPG(file, tensor, quality) end

---Write a PGM file: grey, 8 bits for a sample (P5).
---@param file string string
---@param tensor any H x W or 1 x H x W; 0..1, or bytes
function image.savePGM(file, tensor) end

---Write a PNG file.
---@param file string string
---@param tensor any H x W or C x H x W, C from 1 to 4 (2 and 4: with alpha); 0..1, or bytes
---@param bits? any 8 or 16 for a sample (default 8)
function image.savePNG(file, tensor, bits) end

---Write a PPM file: colours, 8 bits for a sample (P6).
---@param file string string
---@param tensor any H x W, 1 x H x W (all channels are the same then) or 3 x H x W; 0..1, or bytes
function image.savePPM(file, tensor) end

---A picture of another size.
---
---'bilinear', the default, interpolates where an axis grows (the corner pixels stay where they are)
---and takes the mean of the area that a pixel covers where it shrinks; 'bicubic' interpolates with
---Catmull- Rom's cubic, also where it shrinks; 'simple' takes pixel floor(i * old / new). Tensors
---of whole numbers are rounded.
---@param src any picture; more than three dimensions: a batch
---@param width number number; or the size in words: a number or 'N' (the longer side becomes N), '^N' (the shorter side), '*N' or '*N/M' (times that), 'WxH'; or, where the first argument is dst, the picture: dst's size is kept
---@param height? any number (optional)
---@param mode? any 'bilinear', 'bicubic' or 'simple' (default 'bilinear')
function image.scale(src, width, height, mode) end

---One picture of many, side by side, with values scaled to 0..1 (image.minmax).
---@param input any H x W or C x H x W (C is 1 or 3), one picture; B x H x W or B x C x H x W, a batch; or a table of pictures
---@param padding? any pixels between pictures, white (default 0)
---@param nrow? any pictures in a row (default 6)
---@param scaleeach? any true: each picture is scaled by its own smallest and largest value (default false)
---@param min? any value that becomes 0 (optional)
---@param max? any value that becomes 1 (optional)
---@param symmetric? any as symm of image.minmax (default false)
---@param saturate? any false: values outside of min..max stay outside of 0..1 (default true)
---@return any
function image.toDisplayTensor(input, padding, nrow, scaleeach, min, max, symmetric, saturate) end

---A picture moved to the right and down; what is left free is 0.
---@param dst? any result (optional)
---@param src? any picture
---@param x? any pixels to the right
---@param y? any pixels down
function image.translate(dst, src, x, y) end

---Upside down.
---@param dst? any result; may be src (optional)
---@param src? any picture
function image.vflip(dst, src) end

---A picture whose pixels come from where a field says.
---@param dst? any result, of the field's size (optional)
---@param src? any picture
---@param field? any 2 x H x W: of each pixel how far off (y, then x) its value is to be found
---@param mode? any 'simple' (the nearest pixel), 'bilinear', 'bicubic' (Catmull-Rom) or 'lanczos' (3 lobes) (default 'bilinear')
---@param offset? any false: the field holds positions in src, counted from 0 (default true)
---@param clamp_mode? any what is off the picture: 'clamp' the pixel at its border, 'pad' a value (default 'clamp')
---@param pad_val? any that value (default 0)
function image.warp(dst, src, field, mode, offset, clamp_mode, pad_val) end

---What image.display{win = } shows its pictures in: a table whose field `image` is the last one.
---There is no window on a screen, so nobody clicks or resizes it.
---@param ... any
---@return any
function image.window(...) end

---Levels 1..L, L being the highest, in the colours of image.jetColormap(L).
---@param dst? any result (optional)
---@param src? any levels: L numbers, H x W or 1 x H x W; those below 1 count as 1, fractions are left out
---@return any
function image.y2jet(dst, src) end

---The inverse of image.rgb2yuv.
---@param dst? any result (optional)
---@param src? any 3 x H x W, float or double
function image.yuv2rgb(dst, src) end

return image
