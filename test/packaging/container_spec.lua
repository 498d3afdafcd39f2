-- The container file: what a reader of it would look for. build_deb_spec runs its scripts, with
-- programs that play the others.
local lfs = require 'lfs'
local shell = require 'test.support.shell'

local run, read, with_folder = shell.run, shell.read, shell.with_folder
local PATH = 'packaging/Containerfile'

-- { { word = 'RUN', rest = 'bash ...' }, ... }, grouped by stage: stages.build = { ... }
local function parse(text)
   local stages, order, stage = {}, {}, { name = '' }
   stages[''] = stage
   for line in text:gsub('\\\n', ''):gmatch '[^\n]+' do
      local word, rest = line:match '^(%u+) (.*)$'
      if word == 'FROM' then
         local base, name = rest:match '^(%S+) AS ([%w-]+)$'
         assert(name, 'a stage without a name: ' .. line)
         stage = { name = name, base = base }
         stages[name] = stage
         order[#order + 1] = name
      end
      if word then
         stage[#stage + 1] = { word = word, rest = rest }
      else
         assert(line:find '^#', 'neither an instruction nor a comment: ' .. line)
      end
   end
   return stages, order
end

local stages, order = parse(read(PATH))

local function each(word)
   local found = {}
   for _, stage in pairs(stages) do
      for _, instruction in ipairs(stage) do
         if instruction.word == word then
            found[#found + 1] = { stage = stage.name, rest = instruction.rest }
         end
      end
   end
   return found
end

-- The value of one instruction of a stage.
local function of(name, word)
   for _, instruction in ipairs(stages[name]) do
      if instruction.word == word then
         return instruction.rest
      end
   end
end

describe('the container file', function()
   it('has instructions that exist', function()
      local known = {}
      for word in ('ARG FROM WORKDIR COPY RUN USER ENV CMD'):gmatch '%u+' do
         known[word] = true
      end
      for _, stage in pairs(stages) do
         for _, instruction in ipairs(stage) do
            assert.is_true(known[instruction.word], instruction.word)
         end
      end
   end)

   it('has the stages cpu and cuda, made of stages before them, on one named release', function()
      assert.same({ 'build', 'cpu', 'cuda-build', 'cuda' }, order)
      assert.matches('^BASE=[%w./]*debian:12', stages[''][1].rest)
      local seen = {}
      for _, name in ipairs(order) do
         assert.is_true(stages[name].base == '${BASE}' or seen[stages[name].base] == true, name)
         for _, instruction in ipairs(stages[name]) do
            local from = instruction.rest:match '^%-%-from=(%S+)'
            assert.is_true(not from or seen[from] == true, instruction.rest)
         end
         seen[name] = true
      end
   end)

   it('copies and runs files that are there', function()
      for _, copy in ipairs(each 'COPY') do
         local source = copy.rest:match '^([%w_./]+) '
         if source then
            assert.truthy(lfs.attributes(source), source)
         end
      end
      for _, step in ipairs(each 'RUN') do
         for path in step.rest:gmatch 'bash ([%w_./]+)' do
            assert.truthy(lfs.attributes((path:gsub('^/setup/', ''))), path)
            assert.same({ '', 0 }, { run('bash -n ' .. path:gsub('^/setup/', '')) })
         end
         assert.same({ '', 0 }, { run('sh -n -c ' .. shell.quoted(step.rest)) })
      end
   end)

   it('copies between stages what the one makes, to where the other installs it', function()
      local copied = {}
      for _, copy in ipairs(each 'COPY') do
         local from, source, target = copy.rest:match '^%-%-from=(%S+) (%S+) (%S+)$'
         if from then
            local made, installed
            for _, instruction in ipairs(stages[from]) do
               made = made or instruction.word == 'RUN'
                  and instruction.rest:match 'bash packaging/build_deb.sh (%S+)$'
            end
            for _, instruction in ipairs(stages[copy.stage]) do
               installed = installed or instruction.word == 'RUN'
                  and instruction.rest:match 'apt%-get install [^&]-(/%S+)/%*%.deb'
            end
            assert.same({ made, installed }, { source, target })
            copied[copy.stage] = from
         else -- of the checkout; what is set up is run from there
            local path, setup = copy.rest:match '^(%S+) /setup/(%S+)$'
            assert.equal(path, setup)
         end
      end
      assert.same({ cpu = 'build', cuda = 'cuda-build' }, copied)
      assert.matches('^TH_CUDA=ON ', stages['cuda-build'][#stages['cuda-build']].rest)
   end)

   it('leaves build folders and history at home', function()
      local ignored = '\n' .. read '.dockerignore'
      for _, name in ipairs { '.git', 'build', 'build.luarocks' } do
         assert.matches('\n' .. name .. '\n', ignored, 1, true)
      end
   end)

   -- Where apt-get stands at all it installs our own package, whose dependencies are the list's
   -- (debian_spec), without what Debian recommends, and leaves no package lists behind.
   it("has no package but those of debian.sh's lists, and our own", function()
      local lists = {}
      for _, step in ipairs(each 'RUN') do
         for words in step.rest:gmatch 'debian.sh ([%l_ ]+)' do
            for list in words:gmatch '[%l_]+' do
               lists[#lists + 1] = list
            end
         end
         for words in step.rest:gmatch 'apt%-get ([^&]*)' do
            local command = words:gsub('%s+$', '')
            assert.is_true(command == 'update' or command
               == 'install --yes --no-install-recommends /package/*.deb', words)
            assert.matches('rm %-rf /var/lib/apt/lists/%*$', step.rest)
         end
         assert.not_matches('dpkg ', step.rest)
      end
      table.sort(lists)
      assert.same({ 'compile', 'cuda_compile', 'cuda_run', 'deb', 'run' }, lists)
      for _, list in ipairs(lists) do
         local echo = [[bash -c 'source lib/cmake/debian.sh; echo "${%s_packages[*]}"']]
         assert.matches('%S', (run(echo:format(list))))
      end
   end)

   it('ends in images that run th as a user without rights', function()
      for _, name in ipairs { 'cpu', 'cuda' } do
         assert.same({ 'torch', '/home/torch', '["th"]', 'useradd --create-home torch' },
            { of(name, 'USER'), of(name, 'WORKDIR'), of(name, 'CMD'),
               stages[name][#stages[name] - 3].rest })
      end
   end)

   -- Debian has no linter of these files; test/run.sh installs one by pip.
   local hadolint = run 'PATH=$PWD/build/tools/bin:$PATH command -v hadolint; true':match '%S+'
   local linted = hadolint and it or function(name)
      pending(name .. ': hadolint is not installed')
   end
   linted('passes hadolint, which finds what is wrong', function()
      -- DL3066 wants users by number: ours is made in the same image.
      local lint = shell.quoted(hadolint or '') .. ' --no-color --ignore DL3066 '
      assert.same({ '', 0 }, { run(lint .. PATH) })
      with_folder(function(folder)
         local output, status = run(lint .. folder .. '/wrong')
         assert.equal(1, status)
         for _, rule in ipairs { 'DL3006', 'DL3015', 'SC2086' } do
            assert.matches(rule, output)
         end
      end, { wrong = 'FROM debian\nRUN apt-get install --yes th && cat $HOME/x\n' })
   end)
end)
