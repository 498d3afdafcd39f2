--- Files that `require` reads by their kind: Lua, .th, .t7 and .net (torch.load), .json, .csv, .so.
-- @module trepl.scripts.kinds
local M = {}

local function read(path)
   local file = assert(io.open(path))
   local text = file:read '*a'
   file:close()
   return text
end

local function serialized(path)
   return require('torch').load(path)
end

local function json(path)
   for _, name in ipairs { 'cjson', 'dkjson' } do
      local found, library = pcall(require, name)
      if found then
         local ok, value, _, problem = pcall(library.decode, read(path))
         if not ok or problem then
            error(('%s: %s'):format(path, ok and problem or value), 0)
         end
         return value
      end
   end
   error(('%s: JSON is read by lua-cjson, which is not installed (Debian: apt install lua-cjson)')
      :format(path), 0)
end

local function library(path)
   local name = path:match '([^/]*)%.so$'
   local open, message = package.loadlib(path, 'luaopen_' .. name:gsub('%.', '_'))
   if not open then
      error(message, 0)
   end
   return open(name)
end

local function chunk(path)
   local f, message = loadfile(path)
   if not f then
      error(message, 0)
   end
   return f(path)
end

local readers = {
   th = serialized, t7 = serialized, net = serialized, json = json, so = library,
   csv = function(path)
      return M.rows(read(path), path)
   end,
}

--- Text of comma-separated values as a list of rows, each a list of fields: numbers where a field
-- is one and has no quotes, strings otherwise. Source: RFC 4180.
-- @param text string
-- @param path string, optional: named in errors
function M.rows(text, path)
   local rows, row, at = {}, {}, 1
   text = text:gsub('\r\n', '\n')
   while at <= #text do
      local field
      if text:sub(at, at) == '"' then
         local close = at
         repeat -- a quote within is doubled
            close = text:find('"', close + 1, true)
            local doubled = close and text:sub(close + 1, close + 1) == '"'
            close = doubled and close + 1 or close
         until not close or not doubled
         if not close then
            error(('%s: row %d: a quote is not closed'):format(path or 'csv', #rows + 1), 0)
         end
         field, at = text:sub(at + 1, close - 1):gsub('""', '"'), close + 1
         if text:find('^[^,\n]', at) then
            error(('%s: row %d: text after a quote'):format(path or 'csv', #rows + 1), 0)
         end
      else
         local stop = text:find('[,\n]', at) or #text + 1
         local plain = text:sub(at, stop - 1)
         field, at = tonumber(plain) or plain, stop
      end
      row[#row + 1] = field
      local separator = text:sub(at, at)
      at = at + 1
      if separator ~= ',' then
         rows[#rows + 1], row = row, {}
      elseif at > #text or text:sub(at, at) == '\n' then -- an empty last field
         row[#row + 1] = ''
         rows[#rows + 1], row, at = row, {}, at + 1
      end
   end
   return rows
end

--- What a file holds or returns.
-- @param path string
function M.load(path)
   return (readers[path:match '%.(%w+)$'] or chunk)(path)
end

return M
