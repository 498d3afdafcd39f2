-- busted forgets what a spec file loaded before it runs the next one. FFI types and classes can be
-- declared once per process only, so our packages are loaded before the first. `-Xhelper torch`:
-- torch alone, for specs that collect all the time; a collection goes through whatever is loaded.
local preload = require('trepl.call').preload
local alone = arg[1] == 'torch'
preload 'torch'
if not alone then
   preload('sys', 'xlua', 'nn', 'graph', 'nngraph', 'optim', 'threads', 'threads.queue',
      'threads.sharedserialize', 'tds', 'image', 'npy', 'safetensors', 'pth', 'hdf5', 'gnuplot',
      'onnx', 'torch.train', 'torch.dataset', 'distributed')
   preload('trepl.editor.terminal', 'trepl.interrupts', 'test.support.terminal')
end
if require('test.support.cuda').available then
   preload 'cutorch'
   if not alone then
      preload('cunn', 'cudnn')
   end
end
require('torch.class.deferred').finish()

-- has_error without a text is true of any error, also of a mistake in the call: not here.
require 'luassert'
local assertions = require('luassert.namespaces').assertion
for _, name in ipairs { 'error', 'errors' } do
   local whatever = assertions[name].callback
   assertions[name].callback = function(state, arguments, level)
      if arguments.n < 2 and state.mod then
         error('give the text of the error (test.support.raises)', level)
      end
      return whatever(state, arguments, level)
   end
end

-- busted keeps every test's function, and whatever it holds, to the end: memory that each of the
-- many collections of the walks over failing memory would go through.
local subscribe = require('busted').subscribe
local done = {} -- the tests and blocks of a file
local function note(element)
   done[#done + 1] = element
   return nil, true
end
subscribe({ 'test', 'end' }, note)
subscribe({ 'describe', 'end' }, note)
subscribe({ 'file', 'start' }, function()
   for i, element in ipairs(done) do
      element.run, element.env, done[i] = nil, nil, nil
   end
   return nil, true
end)
