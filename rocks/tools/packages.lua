-- The rocks: name, summary, the rocks it needs. A rock has the folder lua/NAME, and the C++ of
-- lib/NAME where there is one; or, as it says in `folder`, one within the folder of another rock,
-- which leaves that out (lib/cmake/lua_packages.cmake has the same list). `write.lua` makes the
-- rockspecs of this list, in whose order they can be installed.
local packages = {
   { 'torch', 'Tensors, and th: the prompt that runs Torch7 scripts', {} },
   { 'class', 'Classes with single inheritance, by name', {} },
   { 'dok', "The names of Torch7's inline help", { 'torch' } },
   { 'env', "The globals that Torch7's th set up", { 'torch', 'dok' } },
   { 'nn', 'Neural networks: layers, containers, criterions', { 'torch' } },
   { 'optim', 'Optimisers, schedules, confusion matrices, logs', { 'torch', 'nn' } },
   { 'graph', 'Directed graphs, and their pictures', { 'torch' } },
   { 'nngraph', 'Networks written as graphs of calls', { 'torch', 'nn', 'graph' } },
   { 'cutorch', 'Tensors on CUDA devices', { 'torch' } },
   { 'cunn', 'Networks on CUDA devices, several at a time', { 'torch', 'nn', 'cutorch' } },
   { 'cudnn', "nn's layers under cuDNN's names", { 'torch', 'nn', 'cutorch', 'cunn' } },
   { 'image', 'Pictures: files, changes of size and colour, filters', { 'torch', 'dok' } },
   { 'threads', 'Threads that each run a Lua state, and share tensors', { 'torch' } },
   { 'tds', "Hash tables and vectors outside of Lua's memory", { 'torch' } },
   { 'gnuplot', 'Plots, by the program gnuplot', { 'torch' } },
   { 'hdf5', "HDF5 files, by Debian's libhdf5", { 'torch' } },
   { 'npy', "NumPy's files", { 'torch' } },
   { 'dataset', 'Data sets, samplers, augmentation, tokenisers, a loader with worker threads',
      { 'torch', 'threads', 'image', 'npy', 'hdf5' }, folder = 'torch/dataset' },
   { 'distributed', 'Processes that train together, by MPI', { 'torch', 'nn', 'optim' } },
   { 'train', 'Training: a loop, checkpoints, logs, mixed precision',
      { 'torch', 'nn', 'optim', 'dataset', 'distributed' }, folder = 'torch/train' },
   { 'safetensors', "Hugging Face's files of tensors", { 'torch' } },
   { 'pth', "PyTorch's files of tensors", { 'torch', 'npy' } },
   { 'onnx', 'Nets for other runtimes, and nets from them', { 'torch', 'nn', 'graph', 'nngraph' } },
}

-- Names that rocks of other people ask for, and that are part of torch here, of LuaJIT, or without
-- a use: rocks without a file, so that LuaRocks does not look for the originals.
local names = {
   { 'paths', 'Part of the rock torch' },
   { 'sys', 'Part of the rock torch' },
   { 'xlua', 'Part of the rock torch' },
   { 'trepl', 'Part of the rock torch, which has th' },
   { 'cwrap', "Not needed: torch's C functions are called by LuaJIT's FFI" },
   { 'luaffi', "Not needed: LuaJIT's own FFI" },
}
for _, name in ipairs(names) do
   name[3], name.empty = { 'torch' }, true
   packages[#packages + 1] = name
end

return packages
