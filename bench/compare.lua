-- Join the lines of both sides (name, threads, seconds, goal) into a Markdown table, with a list of
-- the cases that miss their goal.
-- luajit bench/compare.lua OURS THEIRS

local function read(path)
   local values, order, goals = {}, {}, {}
   for line in io.lines(path) do
      local name, threads, seconds, goal = line:match '^([^\t]+)\t(%d+)\t([^\t]+)\t?(.*)$'
      if name then
         local key = name .. '\t' .. threads
         if not values[key] then
            order[#order + 1] = key
         end
         -- What else runs on the machine only ever makes a round slower.
         values[key] = math.min(values[key] or math.huge, tonumber(seconds))
         goals[key] = tonumber(goal)
      end
   end
   return values, order, goals
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

local ours, order, goals = read(arg[1])
local theirs = arg[2] and read(arg[2]) or {}

-- Other peers of a case. One that we call or imitate ("(C loop itself)") is what the goal is meant
-- against; PyTorch's compiled model stands beside its eager one.
local peers = {}
local function find_peers(values, pattern, make)
   for key, seconds in pairs(values) do
      local name, word, threads = key:match(pattern)
      if name then
         peers[name .. '\t' .. threads] = make(word, seconds)
      end
   end
end
find_peers(ours, '^(.*) %((.*) itself%)\t(%d+)$', function(name, seconds)
   return { name = 'of ' .. name, seconds = seconds, is_goal = true }
end)
find_peers(theirs, '^(.*) %((compiled)%)\t(%d+)$', function(name, seconds)
   return { name = name, seconds = seconds }
end)

local missed = {}
local function ratio(key, peer, goal, means)
   local value = peer / ours[key]
   if goal and value < goal then
      missed[#missed + 1] = { key = key, value = value, goal = goal }
   end
   means[#means + 1] = math.log(value)
   return ('%.2f'):format(value)
end

local eager, others = {}, {}
print '| case | threads | ours | PyTorch | ratio | goal |'
print '| --- | --- | --- | --- | --- | --- |'
for _, key in ipairs(order) do
   local name, threads = key:match '^(.*)\t(%d+)$'
   if not name:match ' itself%)$' then
      local peer = peers[key]
      local is_goal = peer and peer.is_goal
      local goal = goals[key] and ('%.3g'):format(goals[key]) or ''
      print(('| %s | %s | %s | %s | %s | %s |'):format(
         name, threads, show(name, ours[key]), show(name, theirs[key]),
         theirs[key] and ratio(key, theirs[key], not is_goal and goals[key], eager) or '',
         is_goal and '' or goal))
      if peer then
         others[peer.name] = others[peer.name] or {}
         print(('| | | | %s %s | %s | %s |'):format(show(name, peer.seconds), peer.name,
            ratio(key, peer.seconds, is_goal and goals[key], others[peer.name]),
            is_goal and goal or ''))
      end
   end
end

local function print_mean(name, logarithms)
   if #logarithms > 1 then
      local sum = 0
      for _, value in ipairs(logarithms) do
         sum = sum + value
      end
      print(('\ngeometric mean of %d ratios, %s: %.2f'):format(
         #logarithms, name, math.exp(sum / #logarithms)))
   end
end
print_mean('PyTorch', eager)
print_mean('PyTorch compiled', others.compiled or {})

table.sort(missed, function(a, b)
   return a.value / a.goal < b.value / b.goal
end)
print(('\n%d cases under their goal%s'):format(#missed, #missed > 0 and ':\n' or '.'))
for _, miss in ipairs(missed) do
   local name, threads = miss.key:match '^(.*)\t(%d+)$'
   print(('* %s, %s thread%s: %.2f, wanted %.3g'):format(
      name, threads, threads == '1' and '' or 's', miss.value, miss.goal))
end
