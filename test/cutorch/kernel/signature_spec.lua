local cuda = require 'test.support.cuda'
if not cuda.available then
   return
end

local signature = require 'cutorch.kernel.signature'

describe('cutorch.kernel.signature', function()
   -- NVRTC is asked for it; its own functions are overloads of a kernel that has their name.
   it('tells a kernel from other functions of its name', function()
      local source = [[
         __global__ void max(double *r, const float *__restrict__ x, float const *y,
                             unsigned char *const c, volatile int *lock, void *any, const size_t n,
                             unsigned long long m, bool b);
         __global__ void none(void) { }
      ]]
      assert.equal('(void (*)(double *, const float *, const float *, unsigned char *, '
         .. 'volatile int *, void *, size_t, unsigned long long, bool))max',
         signature.address('max', signature.read(source, 'max')))
      assert.equal('(void (*)())none', signature.address('none', signature.read(source, 'none')))
   end)
end)
