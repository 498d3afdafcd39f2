--- Make rocks of this checkout, and the rocks that they need first.
--
--     luajit rocks/tools/make.lua [OPTION...] [ROCK...]
--
-- Without the name of a rock, all of them. Options are those of `luarocks make`, which runs at the
-- root of the checkout; a folder in them is seen from where make.lua is called:
--
--     luajit rocks/tools/make.lua --local nngraph image
--     luajit rocks/tools/make.lua --tree /opt/torch
-- @script make
local here = arg[0]:match '^(.*)/[^/]*$' or '.'
local packages = dofile(here .. '/packages.lua')
local near = dofile(here .. '/../../lua/torch/near.lua')

-- Options whose value is the next word; true: that may be a folder.
local VALUES = {
   ['--tree'] = true, ['--lua-dir'] = true, ['--server'] = true, ['--only-server'] = true,
   ['--lua-version'] = false, ['--only-sources'] = false, ['--namespace'] = false,
   ['--timeout'] = false, ['--deps-mode'] = false,
}
local NAMED_TREES = { user = true, system = true } -- of LuaRocks' configuration

local by_name, wanted, options, all = {}, {}, {}, true
for _, package in ipairs(packages) do
   by_name[package[1]] = package
end

local function want(name)
   if not wanted[name] then
      wanted[name] = true
      for _, need in ipairs(by_name[name][3]) do
         want(need)
      end
   end
end

local function quoted(word)
   return "'" .. word:gsub("'", "'\\''") .. "'"
end

local function current_folder()
   local pipe = assert(io.popen 'pwd')
   local folder = pipe:read '*l'
   pipe:close()
   return folder
end

-- The value of an option as it is right at the root of the checkout.
local function from_root(option, value)
   if not VALUES[option] or value:find '^/' or value:find '://'
      or option == '--tree' and NAMED_TREES[value] then
      return value
   end
   return current_folder() .. '/' .. value
end

local i = 1
while arg[i] do
   local word = arg[i]
   local option, value = word:match '^(%-%-[%w-]+)=(.*)$'
   if by_name[word] then
      all = false
      want(word)
   elseif VALUES[word] ~= nil and arg[i + 1] then
      i = i + 1
      options[#options + 1] = word .. ' ' .. quoted(from_root(word, arg[i]))
   elseif option then
      options[#options + 1] = option .. '=' .. quoted(from_root(option, value))
   elseif word:find '^%-' or word:find '^[%u_]+=' then
      options[#options + 1] = quoted(word)
   else
      io.stderr:write(("make.lua: there is no rock '%s'%s; rocks/tools/packages.lua lists them\n")
         :format(word, near.hint(word, by_name)))
      os.exit(2)
   end
   i = i + 1
end

local text = table.concat(options, ' ')
for _, package in ipairs(packages) do
   local name = package[1]
   if all or wanted[name] then
      local command = ('luarocks make %s rocks/%s-scm-1.rockspec'):format(text, name)
      if os.execute(('cd %s && %s'):format(quoted(here .. '/../..'), command)) ~= 0 then
         io.stderr:write(('make.lua: %s failed, see above\n'):format(name))
         os.exit(1)
      end
   end
end
