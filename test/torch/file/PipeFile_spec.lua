local ffi = require 'ffi'
local torch = require 'torch'
local t7 = require 'test.support.t7'
local raises = require 'test.support.raises'

local contentOf = t7.contentOf

describe('torch.PipeFile', function()
   it('reads what a command prints', function()
      local f = torch.PipeFile "printf 'one\\n2 3\\n'"
      assert.equal('torch.PipeFile', torch.typename(f))
      assert.matches('^torch.PipeFile on <.*> %[status: open %-%- mode r %]$', tostring(f))
      assert.equal('one', f:readString '*l')
      assert.same({ 2, 3 }, f:readInt(2):totable())
      raises('read 0 blocks instead of 1 at position 9', f.readInt, f)
      raises('unable to seek at position 1 of the pipe', f.seek, f, 1)
      f:close()
      f = torch.PipeFile 'true'
      assert.matches("at position 1 of the pipe 'true': the command's output ends there",
         t7.messageOf(f.readInt, f), 1, true)
      f:close()
   end)

   it('feeds a command', function()
      local path = os.tmpname()
      local f = torch.PipeFile('cat > ' .. path, 'w')
      f:writeString 'hello '
      f:writeInt(5)
      f:close()
      assert.equal('hello 5\n', contentOf(path))
      os.remove(path)
   end)

   it('lives on when the command stops reading, and reports its failure', function()
      local f = torch.PipeFile('exit 3', 'w')
      local ok, message = pcall(function()
         for _ = 1, 100 do
            f:writeString(('x'):rep(100000))
         end
      end)
      assert.is_false(ok)
      assert.matches("PipeFile_spec.lua:%d+: write error: the pipe 'exit 3': Broken pipe; the "
         .. 'command does not read any more; its own messages may say why', message)
      pcall(f.close, f)
      ok, message = pcall(function()
         torch.PipeFile('cat > /dev/null; exit 3', 'w'):close()
      end)
      assert.is_false(ok)
      assert.matches('status 3', message, 1, true)
      torch.PipeFile('exit 3', 'w', true):close()
   end)

   it('leaves the signal of a broken pipe as it was', function()
      ffi.cdef [[
         typedef struct { unsigned long bits[16]; } pipe_test_signals;
         int pipe_test_mask(int how, const pipe_test_signals *set, pipe_test_signals *old)
            __asm__("pthread_sigmask");
         int pipe_test_pending(pipe_test_signals *set) __asm__("sigpending");
         int getpid(void);
         int pipe_test_has(const pipe_test_signals *set, int number) __asm__("sigismember");
         void *pipe_test_handler(int number, void *handler) __asm__("signal");
      ]]
      local C, SIGPIPE = ffi.C, 13
      local handler = C.pipe_test_handler(SIGPIPE, ffi.cast('void *', ffi.C.getpid))
      local f = torch.PipeFile('exit 3', 'w')
      assert.is_false((pcall(function()
         for _ = 1, 100 do
            f:writeString(('x'):rep(100000))
         end
      end)))
      pcall(f.close, f)
      local set = ffi.new 'pipe_test_signals'
      C.pipe_test_mask(0, nil, set)
      assert.equal(0, C.pipe_test_has(set, SIGPIPE))
      C.pipe_test_pending(set)
      assert.equal(0, C.pipe_test_has(set, SIGPIPE))
      assert.equal(ffi.cast('void *', ffi.C.getpid), C.pipe_test_handler(SIGPIPE, handler))
   end)

   it('refuses other modes', function()
      raises("torch.PipeFile: expected mode 'r' or 'w', got 'rw'", torch.PipeFile, 'true', 'rw')
   end)
end)
