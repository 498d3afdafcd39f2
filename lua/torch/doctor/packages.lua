--- Lua's packages: those of LuaTorch, and those that they use. A package that has a file
-- `doctor.lua` is asked for more: it returns a function(report).
-- @module torch.doctor.packages
local debian = require 'torch.doctor.debian'

local M = {}

M.ours = {
   'torch', 'nn', 'optim', 'nngraph', 'graph', 'paths', 'sys', 'xlua', 'trepl', 'class', 'env',
   'dok', 'cutorch', 'cunn', 'cudnn', 'image', 'threads', 'tds', 'gnuplot', 'hdf5', 'npy',
   'safetensors', 'pth', 'onnx', 'distributed', 'torch.dataset', 'torch.train',
}

-- Each: module, what it is for.
M.others = {
   { 'lfs', 'paths' }, { 'pl', 'Penlight: lapp, stringx' }, { 'cjson', "require './data.json'" },
}

-- What a package is compiled without where Debian's package was not there: package, its library,
-- what that is for.
M.parts = {
   { 'image', 'libTHpng', 'PNG', 'libpng-dev' },
   { 'onnx', 'libTHonnx', 'its files', 'libonnx-dev libprotobuf-dev' },
   { 'distributed', 'libdistributed', 'MPI', 'libopenmpi-dev' },
}

--- How packages of ours are had that an installation is without.
-- @tparam list names as they are required
function M.source(names)
   local rocks = {}
   for i, name in ipairs(names) do
      rocks[i] = name:match '[^.]*$'
   end
   return ('in a checkout: luajit rocks/tools/make.lua --tree TREE %s; or the Debian package '
      .. 'luatorch, which has all'):format(table.concat(rocks, ' '))
end

local function found(name)
   return package.searchpath(name, package.path) or package.searchpath(name, package.cpath)
end

function M.examine(report)
   report:section 'Packages'
   local here, missing = {}, {}
   for _, name in ipairs(M.ours) do
      local list = package.searchpath(name, package.path) and here or missing
      list[#list + 1] = name
   end
   report:line('there', table.concat(here, ' '))
   if #missing > 0 then
      report:line('not there', table.concat(missing, ' '))
      report:note('packages are not there: ' .. table.concat(missing, ' '),
         'Their rocks, ' .. M.source(missing))
   end
   for _, other in ipairs(M.others) do
      local path = found(other[1])
      report:line(other[1], path or 'none')
      if not path then
         report:problem(('the Lua module %s is not there, for %s'):format(other[1], other[2]),
            'Debian: apt install ' .. debian.modules[other[1]])
      end
   end
   for _, part in ipairs(M.parts) do
      if found(part[1]) and not found(part[2]) then
         report:note(('%s was compiled without %s'):format(part[1], part[3]),
            ('Debian: apt install %s, then build it again'):format(part[4]))
      end
   end
   for _, name in ipairs(here) do
      if name ~= 'torch' and package.searchpath(name .. '.doctor', package.path) then
         local ok, examine = pcall(require, name .. '.doctor')
         local done, reason = ok, examine
         if ok and type(examine) == 'function' then
            done, reason = pcall(examine, report)
         end
         if not done then
            report:problem(('%s.doctor: %s'):format(name, tostring(reason):match '[^\n]*'),
               'Build again, or install the package anew')
         end
      end
   end
end

return M
