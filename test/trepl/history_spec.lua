local history = require 'trepl.history'

local shell = require 'test.support.shell'
local read = shell.read

local function write(path, text)
   local file = assert(io.open(path, 'w'))
   file:write(text)
   file:close()
end

-- What f writes to stderr: as a prompt's user sees it.
local function warnings(f)
   local texts, stderr = {}, io.stderr
   io.stderr = { write = function(_, ...) -- luacheck: ignore 122
      texts[#texts + 1] = table.concat { ... }
   end }
   local ok, err = pcall(f)
   io.stderr = stderr -- luacheck: ignore 122
   assert(ok, err)
   return texts
end

describe('the history', function()
   local path

   before_each(function()
      path = os.tmpname()
   end)

   after_each(function()
      os.remove(path)
   end)

   it('is written as it goes and read at the next start', function()
      local first = history.open(path)
      first:add 'x = 1'
      assert.equal('x = 1\n', read(path))
      first:add 'y = 2'
      assert.same({ 'x = 1', 'y = 2' }, history.open(path).list)
   end)

   it('keeps statements of several lines, with backslashes of their own', function()
      local statements = {
         'for i = 1, 2 do\n   print(i)\nend', '"a\\\nb"', 'foo \\ ', 'print(1)', 'a\n\nb',
      }
      local first = history.open(path)
      for _, statement in ipairs(statements) do
         first:add(statement)
      end
      first:add 'ends in \\'
      first:add 'last'
      table.insert(statements, 'ends in \\ ')
      table.insert(statements, 'last')
      assert.same(statements, history.open(path).list)
   end)

   it('leaves out what is empty, and what was just entered', function()
      local h = history.open(path)
      h:add 'x'
      h:add 'x'
      h:add ' \n'
      assert.same({ 'x' }, h.list)
      assert.equal('x\n', read(path))
   end)

   it('is shared by several prompts, none of which loses what another adds', function()
      local a, b = history.open(path), history.open(path)
      a:add 'a1'
      b:add 'b1'
      a:add 'a2'
      assert.same({ 'a1', 'b1', 'a2' }, history.open(path).list)
      assert.same({ 'a1', 'a2' }, a.list)
   end)

   it('is bounded, in the file too', function()
      local lines = {}
      for i = 1, 2500 do
         lines[i] = 'line ' .. i
      end
      write(path, table.concat(lines, '\n') .. '\n')
      local h = history.open(path)
      assert.equal(1000, #h.list)
      assert.equal('line 1501', h.list[1])
      assert.equal('line 2500', h.list[1000])
      assert.same(h.list, history.open(path).list)
      for i = 1, 2500 do
         h:add('more ' .. i)
      end
      assert.is_true(#h.list <= 2000)
      assert.equal('more 2500', h.list[#h.list])
   end)

   it('that is cut keeps its permissions, and the link that leads to it', function()
      shell.with_folder(function(folder)
         local real, link = folder .. '/real', folder .. '/link'
         write(real, ('x = 1\ny = 2\n'):rep(1050))
         os.execute(('chmod 600 %s && ln -s real %s'):format(real, link))
         assert.equal(1000, #history.open(link).list)
         assert.equal('real 600\n', (shell.run(
            ('echo $(readlink %s) $(stat -c %%a %s)'):format(link, real))))
         assert.equal(1000, #history.open(real).list)
         assert.equal('link\nreal\n', (shell.run('ls -A ' .. folder)))
      end)
   end)

   it('warns once of a file that cannot be written, and goes on', function()
      local h = history.open '/nowhere/at/all'
      local texts = warnings(function()
         h:add 'x'
         h:add 'y'
      end)
      assert.same({ 'x', 'y' }, h.list)
      assert.equal(1, #texts)
      assert.truthy(texts[1]:find('the history is not kept: /nowhere/at/all', 1, true))
   end)

   it('warns of a folder in its place', function()
      local texts = warnings(function()
         history.open('/tmp'):add 'x'
      end)
      assert.equal(1, #texts)
   end)

   it('lasts as long as the program without a file', function()
      local h = history.open()
      h:add 'x'
      assert.same({ 'x' }, h.list)
   end)
end)
