local shell = require 'test.support.shell'
local check = dofile 'docs/site/check.lua'

describe('the site of docs/', function()
   local folder = os.tmpname()
   local text, status

   setup(function()
      os.remove(folder)
      local found = select(2, shell.run 'command -v cmark-gfm')
      assert(found == 0, 'cmark-gfm is missing: bash lib/cmake/debian.sh site')
      text, status = shell.run('luajit docs/site/build.lua ' .. shell.quoted(folder))
   end)

   teardown(function()
      shell.run('rm -r ' .. shell.quoted(folder))
   end)

   it('is built by one command, with no link or anchor that leads nowhere', function()
      assert.equal(0, status, text)
      local pages, links, broken, elsewhere = text:match
         '(%d+) pages, (%d+) links, (%d+) broken; (%d+) links to elsewhere not followed\n$'
      assert.is_true(tonumber(pages) > 80)
      assert.is_true(tonumber(links) > 5000)
      assert.equal('0', broken)
      assert.equal('0', elsewhere) -- nothing of it needs a network
   end)

   it('has every page of docs/, and none that cannot be reached from its first', function()
      local reached, queue = { ['index.html'] = true }, { 'index.html' }
      while #queue > 0 do
         local page = table.remove(queue)
         for target in shell.read(folder .. '/' .. page):gmatch 'href="([^"#]+)' do
            local at = check.normal((page:match '^(.*/)' or '') .. target)
            if at:match '%.html$' and not reached[at] then
               reached[at] = true
               queue[#queue + 1] = at
            end
         end
      end
      local all = shell.run(("cd '%s' && find . -name '*.html'"):format(folder))
      local count = 0
      for page in all:gmatch '%./(%S+)' do
         assert(reached[page], page .. ' cannot be reached')
         count = count + 1
      end
      local sources = shell.run "find docs -name '*.md' | wc -l"
      assert.is_true(count >= tonumber(sources))
   end)

   it('has every guide in its margin and in the contents of docs/', function()
      local listed = {}
      local contents = shell.read 'docs/README.md' .. shell.read 'docs/architecture.md'
      for _, group in ipairs(dofile 'docs/site/navigation.lua') do
         for i = 2, #group do
            assert(not listed[group[i]], group[i] .. ' twice')
            listed[group[i]] = true
         end
      end
      local pages = shell.run 'cd docs && ls *.md guides/*.md architecture/*.md'
      local count = 0
      for page in pages:gmatch '(%S+)%.md' do
         assert(listed[page], 'docs/site/navigation.lua has no ' .. page)
         assert(page == 'README' or contents:find(('](%s.md)'):format(page), 1, true),
            'docs/README.md has no ' .. page)
         count = count + 1
      end
      assert.is_true(count > 25)
   end)

   it('has a search that knows names and headings', function()
      local index = shell.read(folder .. '/search-index.js')
      for _, line in ipairs {
         '["torch.sum","reference/tensors/reductions.html#torchsum","Sum of all elements',
         '["nn.Linear","reference/nn/linear.html#nnlinear","',
         '["Which loss","guides/training.html#which-loss","Training: ',
      } do
         assert(index:find(line, 1, true), line)
      end
   end)

   it('is checked by what finds broken links', function()
      shell.with_folder(function(path)
         local broken, counts = check.site(path)
         table.sort(broken)
         assert.same({ 'a.html: no file c.html', 'a.html: no place b.html#there',
            'search-index.js: no place b.html#gone', 'sub/b.html: the anchor #x twice' }, broken)
         assert.same({ pages = 3, links = 6, external = 1 }, counts)
      end, {
         ['a.html'] = '<h1 id="top">A</h1><a href="b.html#there">1</a><a href="c.html">2</a>'
            .. '<a href="#top">3</a><a href="sub/b.html#x">4</a>'
            .. '<a href="https://example.org">5</a>',
         ['b.html'] = '<h1 id="here">B</h1><img src="a.html">',
         ['sub/b.html'] = '<p id="x"></p><p id="x"></p>',
         ['search-index.js'] = 'window.searchIndex = [\n["n","b.html#gone","t"]\n];\n',
      })
   end)
end)
