local torch = require 'torch'
local raises = require 'test.support.raises'

describe('torch.isatty', function()
   it('is false for files, pipes and what is closed', function()
      local path = os.tmpname()
      local file = assert(io.open(path))
      assert.is_false(torch.isatty(file))
      file:close()
      assert.is_false(torch.isatty(file))
      local disk = torch.DiskFile(path)
      assert.is_false(torch.isatty(disk))
      assert.is_false(torch.isatty(disk:close()))
      assert.is_false(torch.isatty(torch.MemoryFile()))
      assert.is_false(torch.isatty(torch.PipeFile 'true'))
      raises('torch.isatty: expected a file, got string', torch.isatty, 'x')
      os.remove(path)
   end)

   it('is true for a terminal', function()
      local terminal = io.open('/dev/ptmx', 'r+') -- a new pseudo-terminal
      if not terminal then
         return pending 'this system has no pseudo-terminals'
      end
      assert.is_true(torch.isatty(terminal))
      terminal:close()
      assert.is_true(torch.isatty(torch.DiskFile '/dev/ptmx'))
   end)
end)
