--- Ways through a graph, without recursion: a chain of nodes may be longer than Lua's stack.
-- @module graph.search

local M = {}

--- Depth first from a node, over the nodes that `seen` has not: enter(node), then its children in
-- their order, then leave(node).
-- @param root a node
-- @tparam table seen node -> 'open' when it has been entered and not left, 'closed' otherwise
-- @func enter gets a node
-- @func leave gets a node
-- @func[opt] again again(node, path) for a child that is open; path lists the open nodes
function M.depth(root, seen, enter, leave, again)
   if seen[root] then
      return
   end
   local path, at = {}, {}
   local function push(node)
      seen[node] = 'open'
      path[#path + 1], at[#at + 1] = node, 0
      enter(node)
   end
   push(root)
   while #path > 0 do
      local top = #path
      at[top] = at[top] + 1
      local child = path[top].children[at[top]]
      if not child then
         local node = path[top]
         path[top], at[top] = nil, nil
         seen[node] = 'closed'
         leave(node)
      elseif not seen[child] then
         push(child)
      elseif again and seen[child] == 'open' then
         again(child, path)
      end
   end
end

--- Breadth first from a node, over the nodes that `enter` accepts.
-- @param root a node
-- @func enter enter(node) answers whether the node is new, and notes it
-- @func visit gets a node
function M.breadth(root, enter, visit)
   local queue, first = {}, 1
   if enter(root) then
      queue[1] = root
   end
   while queue[first] do
      local node = queue[first]
      visit(node)
      for _, child in ipairs(node.children) do
         if enter(child) then
            queue[#queue + 1] = child
         end
      end
      first = first + 1
   end
end

local function nothing() end

--- A cycle that can be reached from some nodes.
-- @tparam table roots
-- @treturn table its nodes in order; nil without one
function M.cycle(roots)
   local seen, found = {}, nil
   local function again(child, path)
      if not found then
         local first = #path
         while path[first] ~= child do
            first = first - 1
         end
         found = { unpack(path, first) }
      end
   end
   for _, root in ipairs(roots) do
      M.depth(root, seen, nothing, nothing, again)
   end
   return found
end

return M
