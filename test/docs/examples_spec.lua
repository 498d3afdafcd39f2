local paths = require 'paths'
local cuda = require 'test.support.cuda'
local environment = require 'test.support.environment'
local examples = require 'test.support.documents.examples'

-- The examples run in a process and a folder of their own: they define classes and write files.
local function report(what)
   local folder = os.tmpname()
   os.remove(folder)
   paths.mkdir(folder)
   local script = paths.cwd() .. '/test/support/documents/examples.lua'
   local pipe = io.popen(("cd '%s' && '%s' '%s' %s 2>&1"):format(folder, os.getenv 'TH_EXECUTABLE',
      script, what))
   local text = pipe:read '*a'
   pipe:close()
   paths.rmall(folder, 'yes')
   return text
end

describe('examples', function()
   setup(environment.ownCache) -- for what torch.fuse compiles
   teardown(environment.withoutOwnCache)

   local packages = 'torch nn graph nngraph optim torch.train torch.dataset paths sys xlua trepl '
         .. 'distributed image npy safetensors pth onnx hdf5 gnuplot class dok'
   if cuda.available then
      packages = packages .. ' cutorch cunn cudnn'
   end

   it('of docstrings run, and give what they say', function()
      local text = report(packages)
      assert.matches('^%d+ examples, %d+ comparisons\n$', text)
      assert.is_true(tonumber(text:match '^%d+') > 30)
   end)

   it('of README.md run', function()
      assert.equal('1 examples, 0 comparisons\n', report(("'%s/README.md'"):format(paths.cwd())))
   end)

   it('that are wrong are found', function()
      local function outcome(...)
         return (examples.run('page:1', { ... }))
      end
      assert.is_nil(outcome('local t = torch.Tensor { 1, 2 }', 't * 2 --> { 2, 4 }',
         '#t, t:sum() --> { 2 }, 3', "t + 'a' --> error: 'DoubleTensor and string'"))
      assert.equal('page:1:1: got 3, the example says 4', outcome '1 + 2 --> 4')
      assert.matches('the example says 1, 2', outcome '1 --> 1, 2')
      assert.matches('no error; the example says error: x', outcome "1 --> error: 'x'")
      assert.matches('page:1:2: attempt to call', outcome('local f', 'f()'))
      assert.matches('page:1:1:', outcome 'local =')
      assert.matches('the example says', outcome 'torch.Tensor { 1, 2 } --> { 1, 2, 3 }')
   end)
end)
