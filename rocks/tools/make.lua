--- Make rocks of this checkout, and the rocks that they need first.
--
--     luajit rocks/tools/make.lua [OPTION...] [ROCK...]
--
-- Without the name of a rock, all of them. What is no such name is an option of `luarocks make`:
--
--     luajit rocks/tools/make.lua --local nngraph image
--     luajit rocks/tools/make.lua --tree /opt/torch
-- @script make
local here = arg[0]:match '^(.*)/[^/]*$' or '.'
local packages = dofile(here .. '/packages.lua')

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

for i, word in ipairs(arg) do
   local is_value = i > 1 and (arg[i - 1] == '--tree' or arg[i - 1] == '--lua-version')
   if by_name[word] and not is_value then
      all = false
      want(word)
   else
      options[#options + 1] = "'" .. word:gsub("'", "'\\''") .. "'"
   end
end

local text = table.concat(options, ' ')
for _, package in ipairs(packages) do
   local name = package[1]
   if all or wanted[name] then
      local command = ('luarocks make %s rocks/%s-scm-1.rockspec'):format(text, name)
      if os.execute(('cd \'%s/../..\' && %s'):format(here:gsub("'", "'\\''"), command)) ~= 0 then
         io.stderr:write(('make.lua: %s failed, see above\n'):format(name))
         os.exit(1)
      end
   end
end
