-- How processes are started, and what a process reads off its environment.
local shell = require 'test.support.shell'
local workers = require 'test.support.workers'

local th = shell.quoted(os.getenv 'TH_EXECUTABLE')

describe('th --workers', function()
   for command, text in pairs {
      ['--workers 4'] = 'th: --workers wants a script: th --workers 4 script.lua',
      ['--workers'] = "th: option '--workers' wants a whole number from 1 on, as in --workers 4",
      ['--workers=0 x.lua'] = "th: option '--workers' wants a whole number from 1 on",
      ['--restarts 2 x.lua'] = 'th: --restarts, --timeout and --prefix are for processes',
      ['--workers 2 -i x.lua'] = 'th: -i: a prompt is for one process, and none of --workers',
      ['--timeout 1.5 x.lua'] = "th: option '--timeout' wants a whole number from 1 on",
      ['--workers 2 nowhere/x.lua'] = 'th: cannot open nowhere/x.lua: No such file or directory\n',
   } do
      it('refuses ' .. command, function()
         local output, status = shell.run(th .. ' ' .. command)
         assert.equal(2, status)
         assert.matches(text, output, 1, true)
      end)
   end

   it('is not for a process that others have started, and names what is missing', function()
      local output, status = shell.run('OMPI_COMM_WORLD_SIZE=2 ' .. th .. ' --workers 2 x.lua')
      assert.same({ 'th: --workers is for processes that nobody else starts; this one was started '
         .. 'by mpirun\n', 2 }, { output, status })
      shell.with_folder(function(folder)
         for _, program in ipairs { 'bash', 'sh', 'luajit', 'readlink', 'dirname', 'sed' } do
            os.execute(('ln -s "$(command -v %s)" %s/%s'):format(program, folder, program))
         end
         output, status = shell.run(('PATH=%s %s --workers 2 x.lua'):format(folder, th))
         assert.same({ 'th: mpirun is not on the PATH (Debian: apt-get install openmpi-bin)\n', 2 },
            { output, status })
      end)
   end)
end)

describe('distributed without its library', function()
   it('works for one process, and says what to install for several', function()
      local script = [[
         local search = package.searchpath
         function package.searchpath(name, ...)
            return name ~= 'libdistributed' and search(name, ...) or nil
         end
         print(pcall(require('distributed').size))]]
      assert.equal('true\t1\n', (shell.run(('%s -e %s'):format(th, shell.quoted(script)))))
      local several = shell.run(('OMPI_COMM_WORLD_SIZE=2 %s -e %s'):format(th,
         shell.quoted(script)))
      assert.matches('distributed: this build of LuaTorch has no MPI. On Debian: apt-get '
         .. 'install libopenmpi-dev openmpi-bin, then build again', several, 1, true)
   end)
end)

describe('distributed.environment', function()
   local function of(variables, expression)
      return (shell.run(('%s %s -e %s'):format(variables, th, shell.quoted(
         'local e = require "distributed.environment" print(' .. expression .. ')'))))
   end

   it('knows mpirun and the steps of Slurm, and takes no batch script for one', function()
      assert.equal('nil\t1\t0\n', of('', 'e.launcher(), e.size(), e.restarts()'))
      assert.equal('mpirun\t3\n', of('OMPI_COMM_WORLD_SIZE=3', 'e.launcher(), e.size()'))
      assert.equal('slurm\t4\n', of('SLURM_PROCID=6 SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=4',
         'e.launcher(), e.size()'))
      assert.equal('nil\t1\n', of('SLURM_PROCID=0 SLURM_NTASKS=4', 'e.launcher(), e.size()'))
      assert.equal('nil\n', of('SLURM_PROCID=0 SLURM_STEP_ID=4294967291', 'e.launcher()'))
   end)

   if workers.available then
      it('tells of tasks of Slurm that MPI does not know', function()
         local output = shell.run('SLURM_PROCID=0 SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=4 '
            .. 'OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_ess=singleton '
            .. th .. [[ -e 'print(pcall(require("distributed").size))']])
         assert.matches('this is one of 4 tasks of Slurm, and MPI knows of one: start them with '
            .. 'srun --mpi=pmix (or mpirun)', output, 1, true)
      end)
   end
end)

if workers.available then
   describe('processes of th --workers', function()
      it('are given the other options of th, and show their numbers where they are to', function()
         local output, status = shell.run(th .. [[ --workers 2 --prefix -gg -l nn -e ']]
            .. [[print(type(rawget(_G, "nn")), pcall(function() undefined = 1 end))']])
         assert.equal(0, status)
         for rank = 0, 1 do -- mpirun begins anew within a line that comes in two pieces
            assert.matches(('[1,%d]<stdout>:table'):format(rank), output, 1, true)
         end
         assert.equal(2, select(2, output:gsub('\tfalse\t', '')))
         assert.matches('a new global variable: undefined', output, 1, true)
      end)

      it('share the cores that th may have', function()
         local cores = tonumber((shell.run 'env -u OMP_NUM_THREADS nproc'))
         local function threads(n, before)
            return (shell.run(('%s env -u OMP_NUM_THREADS %s --workers %d -e %s'):format(
               before or '', th, n, shell.quoted 'print(os.getenv "OMP_NUM_THREADS")')))
         end
         assert.equal(cores .. '\n', threads(1))
         assert.equal((math.max(1, math.floor(cores / 2)) .. '\n'):rep(2), threads(2))
         local first = shell.run("taskset -cp $$ | sed 's/.*: //; s/[-,].*//'"):match '%d+'
         assert.equal('1\n', threads(1, 'taskset -c ' .. first))
      end)

      it('may be started by a step of Slurm that is one process', function()
         assert.equal('2\n2\n', (shell.run('SLURM_PROCID=0 SLURM_STEP_ID=0 '
            .. 'SLURM_STEP_NUM_TASKS=1 ' .. th .. [[ --workers 2 ]]
            .. [[-e 'print(require("distributed").size())']])))
      end)
   end)
end
