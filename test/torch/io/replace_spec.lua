local torch = require 'torch'
local messageOf = require('test.support.t7').messageOf
local raises = require 'test.support.raises'

describe('torch.save', function()
   local dir, path

   before_each(function()
      dir = os.tmpname()
      os.remove(dir)
      assert(os.execute('mkdir ' .. dir) == 0)
      path = dir .. '/model.t7'
   end)

   after_each(function()
      os.execute('chmod -R u+rwx ' .. dir .. ' && rm -r ' .. dir)
   end)

   local function shell(command)
      local pipe = io.popen(command)
      local output = pipe:read('*a'):gsub('\n$', '')
      pipe:close()
      return output
   end

   it('writes what load reads', function()
      for _, mode in ipairs { 'binary', 'ascii' } do
         torch.save(path, { 1, x = torch.FloatTensor { 1, 2 } }, mode)
         assert.equal(2, torch.load(path, mode).x[2])
      end
      torch.saveobj(path, 5)
      assert.equal(5, torch.loadobj(path))
      local t = {}
      torch.save(path, { t, t }, nil, false)
      local copy = torch.load(path, nil, false)
      assert.not_equal(copy[1], copy[2])
      assert.equal('model.t7', shell('ls -A ' .. dir))
   end)

   it('keeps the former file, and leaves no other, when writing fails', function()
      torch.save(path, 'former')
      assert.matches("torch.save: '" .. path .. "': Unwritable object <function> at <?>[2]",
         messageOf(torch.save, path, { ('x'):rep(300000), print }), 1, true)
      assert.equal('former', torch.load(path))
      assert.equal('model.t7', shell('ls -A ' .. dir))
      os.remove(path)
      messageOf(torch.save, path, print)
      assert.equal('', shell('ls -A ' .. dir))
   end)

   it('keeps the permissions of a file', function()
      torch.save(path, 1)
      local plain = io.open(dir .. '/plain', 'w')
      plain:close()
      assert.equal(shell('stat -c %a ' .. dir .. '/plain'), shell('stat -c %a ' .. path))
      os.execute('chmod 640 ' .. path)
      torch.save(path, 2)
      assert.equal('640', shell('stat -c %a ' .. path))
   end)

   it('keeps from others what they may not read, while it is written, too', function()
      torch.save(path, 1)
      shell('chmod 600 ' .. path)
      local stream, finish = require('torch.io.replace').open(path)
      local both = shell(('stat -c %%A %s/* %s/.torch* | xargs'):format(dir, dir))
      assert.equal('-rw------- -rw-------', both)
      stream:close()
      assert.is_true(finish(true))
      assert.equal('600', shell('stat -c %a ' .. path))
   end)

   it('writes through symbolic and hard links', function()
      torch.save(path, 1)
      os.execute(('cd %s && ln -s model.t7 link.t7 && ln model.t7 hard.t7'):format(dir))
      torch.save(dir .. '/link.t7', 2)
      assert.equal(2, torch.load(path))
      assert.equal(2, torch.load(dir .. '/hard.t7'))
      os.remove(dir .. '/hard.t7')
      torch.save(dir .. '/link.t7', 3)
      assert.equal(3, torch.load(path))
      assert.equal('model.t7', shell('readlink ' .. dir .. '/link.t7'))
      os.execute(('ln -s %s/new.t7 %s/dangling.t7'):format(dir, dir))
      torch.save(dir .. '/dangling.t7', 4)
      assert.equal(4, torch.load(dir .. '/new.t7'))
   end)

   it('writes straight to standard output and to named pipes', function()
      local command = [[luajit -e "require'torch'.save('/dev/stdout', 5)"]]
      assert.equal(torch.serialize(5), shell(command))
      os.execute(('%s > %s/out.t7'):format(command, dir))
      assert.equal(5, torch.load(dir .. '/out.t7'))
      os.execute(('mkfifo %s/fifo && (cat %s/fifo > %s/copy.t7 &)'):format(dir, dir, dir))
      torch.save(dir .. '/fifo', { 1, 2 })
      shell('sleep 0.2')
      assert.same({ 1, 2 }, torch.load(dir .. '/copy.t7'))
      assert.equal('pipe', shell(("test -p %s/fifo && echo pipe"):format(dir)))
   end)

   it('fails where it cannot write', function()
      assert.matches('cannot open <' .. dir .. '/no/x> in mode  w',
         messageOf(torch.save, dir .. '/no/x', 1), 1, true)
      assert.matches('cannot open', messageOf(torch.save, dir, 1), 1, true)
   end)

   it('reports a full disk', function()
      local full = io.open('/dev/full', 'w')
      if not full then
         return pending 'this system has no /dev/full'
      end
      full:close()
      assert.matches('torch.save', messageOf(torch.save, '/dev/full', 5), 1, true)
      raises("write error: '/dev/full': No space left on device", torch.save, '/dev/full',
         torch.ByteTensor(1000000))
   end)
end)
