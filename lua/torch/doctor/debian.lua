--- Debian's packages of what LuaTorch takes from elsewhere, for whoever lacks one.
-- @module torch.doctor.debian
local M = {}

--- Lua modules, and the packages that have them.
M.modules = { lfs = 'lua-filesystem', pl = 'lua-penlight', cjson = 'lua-cjson' }

--- Shared libraries that ours are linked with, by the name between `lib` and `.so`.
M.libraries = {
   dnnl = 'libdnnl2', hwy = 'libhwy1', gomp = 'libgomp1', ['stdc++'] = 'libstdc++6',
   png16 = 'libpng16-16', onnx_proto = 'libonnx1', protobuf = 'libprotobuf32', mpi = 'openmpi-bin',
}

--- What to do about a message of `require` or of the dynamic linker.
-- @string message
-- @return sentence; nil where no package of Debian's helps
function M.remedy(message)
   local module = message:match "module '([%w_]+)[%w_.]*' not found"
   local library = message:match 'lib([%w_+]+)%.so[%d.]*: cannot open shared object file'
   local package = M.modules[module or ''] or M.libraries[library or '']
   return package and 'Debian: apt install ' .. package
end

return M
