--- Lua's packages: those of LuaTorch, and those that they use. A package that has a file
-- `doctor.lua` is asked for more: it returns a function(report).
-- @module torch.doctor.packages
local M = {}

M.ours = {
   'torch', 'nn', 'optim', 'nngraph', 'graph', 'paths', 'sys', 'xlua', 'trepl', 'class', 'env',
   'dok', 'cutorch', 'cunn', 'cudnn', 'image', 'threads', 'tds', 'gnuplot', 'hdf5', 'npy',
   'safetensors', 'pth', 'onnx', 'distributed', 'torch.train',
}

-- Each: module, what it is for, the Debian package.
M.others = {
   { 'lfs', 'paths', 'lua-filesystem' }, { 'pl', "Penlight: lapp, stringx", 'lua-penlight' },
   { 'cjson', "require './data.json'", 'lua-cjson' },
}

function M.examine(report)
   report:section 'Packages'
   local here, missing = {}, {}
   for _, name in ipairs(M.ours) do
      local list = package.searchpath(name, package.path) and here or missing
      list[#list + 1] = name
   end
   report:line('there', table.concat(here, ' '))
   report:line('not there', #missing > 0 and table.concat(missing, ' ') or nil)
   for _, other in ipairs(M.others) do
      local path = package.searchpath(other[1], package.path)
         or package.searchpath(other[1], package.cpath)
      report:line(other[1], path or 'none')
      if not path then
         report:problem(('the Lua module %s is not there, for %s'):format(other[1], other[2]),
            ('Debian: apt install %s'):format(other[3]))
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
