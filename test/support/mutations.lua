--- Damaged copies of a file's bytes: the same ones for the same seed.
local M = {}

local LARGE = { '\255', '\255\255\255\255', '\0\0\0\0', '\255\255\255\255\255\255\255\127',
   '\0\0\0\0\0\0\0\128', '\1', '9999999999', '-1', '18446744073709551615', '\0' }

-- A generator of its own: torch's belongs to the specs.
local function generator(seed)
   local state = seed
   return function(n) -- 1 .. n
      state = (state * 1103515245 + 12345) % 2147483648
      return math.floor(state / 65536) % n + 1
   end
end

local ways = {
   function(text, at) -- what is behind is lost
      return text:sub(1, at - 1)
   end,
   function(text, at, random) -- a bit
      local byte, bit = text:byte(at), 2 ^ (random(8) - 1)
      byte = math.floor(byte / bit) % 2 == 1 and byte - bit or byte + bit
      return text:sub(1, at - 1) .. string.char(byte) .. text:sub(at + 1)
   end,
   function(text, at, random) -- a byte
      return text:sub(1, at - 1) .. string.char(random(256) - 1) .. text:sub(at + 1)
   end,
   function(text, at, random) -- numbers that are large, or none
      local piece = LARGE[random(#LARGE)]
      return text:sub(1, at - 1) .. piece .. text:sub(at + #piece)
   end,
   function(text, at, random) -- a piece is missing
      return text:sub(1, at - 1) .. text:sub(at + random(16))
   end,
   function(text, at, random) -- a piece is there twice
      return text:sub(1, at + random(16)) .. text:sub(at)
   end,
   function(text, at, random) -- a digit
      local place = text:find('%d', at)
      return place and text:sub(1, place - 1) .. random(10) - 1 .. text:sub(place + 1) or text
   end,
   function(text, at, random) -- bytes from elsewhere
      local from, n = random(#text), random(24)
      local piece = text:sub(from, from + n - 1)
      return text:sub(1, at - 1) .. piece .. text:sub(at + #piece)
   end,
}

--- Call f(damaged text) n times. Half of the damages lie in the first `head` bytes, and some texts
-- have several.
-- @string text
-- @int n
-- @int seed
-- @int[opt] head
function M.each(text, n, seed, head, f)
   local random = generator(seed)
   head = math.min(head or #text, #text)
   for _ = 1, n do
      local damaged = text
      for _ = 1, random(4) == 1 and random(4) or 1 do
         if #damaged > 0 then
            local range = random(2) == 1 and math.min(head, #damaged) or #damaged
            local at = (random(32768) - 1) * 32768 + random(32768) - 1
            damaged = ways[random(#ways)](damaged, at % range + 1, random)
         end
      end
      f(damaged)
   end
end

--- Give a fuzz target n damaged copies, each behind a byte of options; it raises where a promise is
-- broken.
function M.survived(target, text, n, seed, head)
   local count = 0
   M.each(text, n, seed, head, function(damaged)
      target.one(string.char(count % 256) .. damaged)
      count = count + 1
   end)
   assert(count == n)
end

return M
