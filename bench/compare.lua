-- Join the lines of both sides (name, threads, seconds) into a Markdown table.
-- luajit bench/compare.lua OURS THEIRS

local function read(path)
   local values, order = {}, {}
   for line in io.lines(path) do
      local name, threads, seconds = line:match '^([^\t]+)\t(%d+)\t(%S+)$'
      if name then
         local key = name .. '\t' .. threads
         if not values[key] then
            values[key] = {}
            order[#order + 1] = key
         end
         table.insert(values[key], tonumber(seconds))
      end
   end
   for _, list in pairs(values) do
      table.sort(list)
   end
   return values, order
end

local function median(list)
   return list and list[math.ceil(#list / 2)]
end

local function show(name, value)
   if not value then
      return ''
   elseif name:match '^peak MiB' then
      return ('%.0f MiB'):format(value)
   elseif value < 1e-6 then
      return ('%.1f ns'):format(value * 1e9)
   elseif value < 1e-3 then
      return ('%.2f us'):format(value * 1e6)
   end
   return ('%.2f ms'):format(value * 1e3)
end

-- "NAME (X itself)" is what X needs for the same as NAME: a column's peer that is no PyTorch.
local function split_peer(name)
   return name:match '^(.*) %((.*) itself%)$'
end

local ours, order = read(arg[1])
local theirs = arg[2] and read(arg[2]) or {}

local peers = {}
for key in pairs(ours) do
   local name, threads = key:match '^(.*)\t(%d+)$'
   local case, peer = split_peer(name)
   if case then
      peers[case .. '\t' .. threads] = { name = peer, seconds = median(ours[key]) }
   end
end

print '| case | threads | ours | PyTorch | ratio |'
print '| --- | --- | --- | --- | --- |'
for _, key in ipairs(order) do
   local name, threads = key:match '^(.*)\t(%d+)$'
   if not split_peer(name) then
      local a, b, peer = median(ours[key]), median(theirs[key]), peers[key]
      local ratio = b and ('%.2f'):format(b / a) or ''
      local row = '| %s | %s | %s | %s | %s |'
      print(row:format(name, threads, show(name, a), show(name, b), ratio))
      if peer then
         print(('| | | %s | of %s | %.2f |'):format(show(name, peer.seconds), peer.name,
            peer.seconds / a))
      end
   end
   local dd = median(ours[name .. ' (dd)\t' .. threads])
   if dd then
      print(('| | | | of dd | %.2f |'):format(dd / a))
   end
end
