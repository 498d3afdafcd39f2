-- busted forgets what a spec file loaded before it runs the next one. FFI types and classes can be
-- declared once per process only, so our packages are loaded before the first.
local preload = require('trepl.call').preload
preload('torch', 'sys', 'xlua', 'nn', 'optim')
if require('test.support.cuda').available then
   preload('cutorch', 'cunn', 'cudnn')
end
