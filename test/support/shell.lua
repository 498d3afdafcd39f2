--- Programs run by the shell, and files for them.
local M = {}

function M.quoted(text)
   return "'" .. text:gsub("'", "'\\''") .. "'"
end

--- Run a shell command.
-- @return what it printed (stdout and stderr) and its exit status
function M.run(command)
   local pipe = assert(io.popen('{ ' .. command .. '\n} 2>&1; echo "status $?"'))
   local output, status = pipe:read('*a'):match('^(.*)status (%d+)\n$')
   pipe:close()
   return output, tonumber(status)
end

--- What a file holds.
function M.read(path)
   local file = assert(io.open(path, 'rb'))
   local text = file:read '*a'
   file:close()
   return text
end

--- Write programs of bash, to be found before others: their folder comes first on the PATH.
-- @param texts table: name -> what it does
function M.programs(folder, texts)
   for name, text in pairs(texts) do
      local file = assert(io.open(folder .. '/' .. name, 'w'))
      file:write('#!/bin/bash\n', text, '\n')
      file:close()
   end
   os.execute('chmod +x ' .. M.quoted(folder) .. '/*')
end

--- Call f with a folder that is removed afterwards.
-- @param files table: name -> text; the folders in the names are made
function M.with_folder(f, files)
   local folder = os.tmpname()
   os.remove(folder)
   assert(os.execute('mkdir ' .. folder) == 0)
   for name, text in pairs(files or {}) do
      local path = folder .. '/' .. name
      os.execute('mkdir -p ' .. M.quoted(path:match '^(.*)/'))
      local file = assert(io.open(path, 'w'))
      file:write(text)
      file:close()
   end
   local ok, err = pcall(f, folder)
   os.execute('rm -r ' .. folder)
   if not ok then
      error(err, 0)
   end
end

return M
