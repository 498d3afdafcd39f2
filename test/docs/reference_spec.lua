local torch = require 'torch'
local paths = require 'paths'
local cuda = require 'test.support.cuda'
local docstrings = require 'test.support.documents.docstrings'
local shell = require 'test.support.shell'

local th = os.getenv 'TH_EXECUTABLE'

local function outputOf(command, ...)
   local pipe = io.popen(command:format(...) .. ' 2>&1')
   local text = pipe:read '*a'
   pipe:close()
   return text
end

local contentOf = shell.read
local bases = dofile('docs/generator/rooms.lua').bases

describe('docs/reference', function()
   local made = os.tmpname()

   setup(function()
      os.remove(made)
      -- Pages of packages that this build cannot load stay as they are.
      assert.equal('', outputOf("cp -r docs/reference '%s'", made))
      assert.equal('', outputOf("'%s' docs/make_reference.lua '%s'", th, made))
   end)

   teardown(function()
      paths.rmall(made, 'yes')
   end)

   it('is what the docstrings say (if not, run th docs/make_reference.lua)', function()
      assert.equal('', outputOf("diff -r docs/reference '%s'", made))
   end)

   it('lists every public name in its index', function()
      local text = outputOf("'%s' test/docs/unlisted.lua '%s/index.md'", th, made)
      assert.matches('^%d+ public names\n$', text)
      assert.is_true(tonumber(text:match '^%d+') > 2500)
   end)

   it('says something about every name in its index', function()
      local lines = 0
      for line in contentOf(made .. '/index.md'):gmatch '\n(%* [^\n]*)' do
         assert(line:match '%): .*%S', line)
         lines = lines + 1
      end
      assert.is_true(lines > 2000)
      for _, part in ipairs {
         '[`optim.adam`](optim/gradient.md#optimadamopfunc-x-config-state): Adam: per-parameter',
         '[`train.Average:add`](training/meters.md#addvalue-count): Count',
      } do
         assert.matches(part, contentOf(made .. '/index.md'), 1, true)
      end
   end)

   it('tells a parameter whole before what kind it is', function()
      local parameters = 0
      for path in outputOf("find '%s' -name '*.md'", made):gmatch '%S+' do
         for line in contentOf(path):gmatch '\n(%* `[^\n]*)' do
            assert(not line:match '%(%l+, optional%) *%w', path .. ': ' .. line)
            assert(not line:match '^%* `[^`]*`: .*%S   ', path .. ': a table in one line: ' .. line)
            parameters = parameters + 1
         end
      end
      assert.is_true(parameters > 1000)
   end)

   it('has formulas whose stars and angle brackets HTML shows', function()
      local found = select(2, shell.run 'command -v cmark-gfm')
      assert(found == 0, 'cmark-gfm is missing: bash lib/cmake/debian.sh site')
      local all = outputOf("find '%s' -name '*.md' -exec cmark-gfm -e table -e autolink {} ';'",
         made)
      local text = all:gsub('<pre>.-</pre>', ''):gsub('<code>.-</code>', '')
      assert.is_true(#text > 500000)
      for _, tag in ipairs { '<em>', '<strong>', '<!-- raw HTML omitted -->' } do
         local at = text:find(tag, 1, true)
         assert(not at, at and text:sub(at - 100, at + 100))
      end
      for _, part in ipairs { 'L*a*b*', 'nInputPlane*kH*kW', '&lt;userdata&gt;' } do
         assert.matches(part, text, 1, true)
      end
   end)

   it('has the places that its index points to', function()
      local markdown = dofile 'docs/generator/markdown.lua'
      local anchors, links = {}, 0
      for page, anchor in contentOf(made .. '/index.md'):gmatch '%]%(([^)#]+)#([^)]*)%)' do
         if not anchors[page] then
            anchors[page] = {}
            for _, name in ipairs(markdown.anchors(contentOf(made .. '/' .. page))) do
               anchors[page][name] = true
            end
         end
         assert.is_true(anchors[page][anchor], page .. '#' .. anchor)
         links = links + 1
      end
      assert.is_true(links > 800)
   end)

   it('has at most 25 pages in a room, and none that its contents do not name', function()
      local contents = contentOf(made .. '/README.md')
      local pages = {} -- room -> how many
      for path in outputOf("cd '%s' && find . -mindepth 2 -name '*.md'", made):gmatch '%./(%S+)' do
         assert.is_truthy(contents:find(('(%s)'):format(path), 1, true), path)
         local room = path:match '^[^/]+'
         pages[room] = (pages[room] or 0) + 1
      end
      local rooms = 0
      for room, count in pairs(pages) do
         assert.is_true(count <= 25, room)
         rooms = rooms + 1
      end
      assert.is_true(rooms >= 5)
   end)

   it('has an example that runs for each function of tensors and each layer', function()
      -- Memory, types of devices, and classes that only others derive from.
      local without = {}
      for name in ([[t:__tostring__ :__tostring__ t:__len__ t:retain t:free :cdata :retain :free
         t:cuda t:__pushudata__ torch.match torch.renorm torch.multinomialAliasSetup_
         torch.multinomialAlias_ torch.Generator:write torch.Generator:read torch.Generator:copy
         nn.GPU nn.PrintSize nn.THNN nn.SparseJacobian nn.declare]]):gmatch '%S+' do
         without[name] = true
      end
      for name in pairs(bases) do
         without[name] = true
      end
      local with = 0
      for path in outputOf("cd '%s' && ls tensors/*.md nn/*.md", made):gmatch '%S+' do
         local text = contentOf(made .. '/' .. path):gsub('\n## ', '\n\1')
         for heading, section in text:gmatch '\1([^\n]*)([^\1]*)' do
            local name = heading:match '^`([%w_.:]+)' or heading:match '^(nn%.%u[%w_]*)$'
            local has = section:find('-->', 1, true)
            with = with + (has and 1 or 0)
            assert(has or not name or without[name], path .. ': ' .. heading)
         end
      end
      assert.is_true(with > 350)
   end)

   it('begins the pages of layers with those that scripts use', function()
      local last = 0
      for path in outputOf("ls '%s'/nn/*.md", made):gmatch '%S+' do
         local base
         local text = contentOf(path)
         for heading, section in text:gsub('\n## ', '\n\1'):gmatch '\1([^\n]*)([^\1]*)' do
            assert(bases[heading] or not base, ('%s: %s behind %s'):format(path, heading, base))
            base = bases[heading] and heading or nil
            last = last + (base and 1 or 0)
            assert(bases[heading] or not section:gsub('\n', ' '):match 'to derive from[ .;:]',
               heading .. ' is missing in docs/generator/rooms.lua, bases')
         end
      end
      assert.is_true(last > 15, last)
   end)

   it('has PyTorch\'s names where their kin are', function()
      for page, names in pairs {
         making = 'zeros_like ones_like full arange randint', reductions = 'argmax argmin',
         sorting = 'argsort', products = 'matmul outer', types = 'tolist',
      } do
         local text = contentOf(('%s/tensors/%s.md'):format(made, page))
         for name in names:gmatch '%S+' do
            assert(text:find(('\n## `torch.%s`'):format(name), 1, true), page .. ' has no ' .. name)
         end
      end
   end)

   it('names nothing that is not there', function()
      local text = outputOf("cd '%s' && cat tensors/*.md scripts/*.md nn/*.md", made)
      assert.same({}, docstrings.unreachable(text, 'torch.FloatTensor'))
      for _, part in ipairs { '# Reductions', '| `exp` | unary | `e^x` | floating |',
         "y = x W' + b", '`torch.einsum(equation, ...)`' } do
         assert.matches(part, text, 1, true)
      end
      if cuda.available then
         text = outputOf("cat '%s'/cuda/*.md", made)
         assert.same({}, docstrings.unreachable(text, 'torch.CudaTensor'))
         assert.is_nil(text:match '`cunn%.')
         assert.is_nil(text:match 'cutorch%.install')
         for _, part in ipairs { 'cutorch.Event:waitOn([which])', 'cutorch.getStream()',
            't:copyAsync(x)', 'cutorch.createCudaHostTensor', 'nn.DataParallelTable(dimension' } do
            assert.matches(part, text, 1, true)
         end
      end
   end)

   it('has every method of tensors', function()
      local text = outputOf("cd '%s' && cat tensors/*.md scripts/*.md", made)
      for name, f in pairs(torch.getmetatable 'torch.FloatTensor') do
         if type(f) == 'function' and not name:match '^__' and not cuda.available then
            assert.is_truthy(text:find('`%w*[.:]?' .. name .. '[`(]'), name)
         end
      end
   end)
end)
