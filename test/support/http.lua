--- A client of HTTP over one connection that is kept, for specs of servers.
--
--     local client = http.connect(8080)
--     local status, body, headers = client:request('POST', '/predict', '{}')

local ffi = require 'ffi'

ffi.cdef [[
   struct test_address { uint16_t family; uint16_t port; uint32_t address; char rest[8]; };
   int socket(int, int, int);
   int connect(int, const struct test_address *, uint32_t);
   int bind(int, const struct test_address *, uint32_t);
   int getsockname(int, struct test_address *, uint32_t *);
   ssize_t send(int, const void *, size_t, int);
   ssize_t recv(int, void *, size_t, int);
   int close(int);
]]
local C = ffi.C
local INTERNET, STREAM, NO_SIGNAL = 2, 1, 0x4000

local function swapped(n)
   return math.floor(n / 256) + n % 256 * 256
end

local function address(port)
   return ffi.new('struct test_address', { INTERNET, swapped(port), 0x0100007f }) -- 127.0.0.1
end

local http = {}
local Client = {}
Client.__index = Client

--- A port that nobody listens at.
function http.free_port()
   local socket = C.socket(INTERNET, STREAM, 0)
   local given = address(0)
   assert(C.bind(socket, given, 16) == 0)
   assert(C.getsockname(socket, given, ffi.new('uint32_t[1]', 16)) == 0)
   C.close(socket)
   return swapped(given.port)
end

--- @treturn ?Client nil where nobody listens
function http.connect(port)
   local socket = C.socket(INTERNET, STREAM, 0)
   assert(socket >= 0)
   if C.connect(socket, address(port), 16) ~= 0 then
      C.close(socket)
      return nil
   end
   return setmetatable({ socket = socket, buffer = ffi.new 'char[65536]', rest = '' }, Client)
end

function Client:close()
   C.close(self.socket)
end

function Client:send(method, path, body, kind)
   body = body or ''
   local text = table.concat({
      method .. ' ' .. path .. ' HTTP/1.1', 'Host: localhost',
      'Content-Type: ' .. (kind or 'application/json'), 'Content-Length: ' .. #body, '', body,
   }, '\r\n')
   local at = 0
   while at < #text do
      local n = C.send(self.socket, ffi.cast('const char *', text) + at, #text - at, NO_SIGNAL)
      assert(n > 0, 'the connection was closed')
      at = at + tonumber(n)
   end
end

local function more(self)
   local n = C.recv(self.socket, self.buffer, 65536, 0)
   assert(n > 0, 'the connection was closed')
   self.rest = self.rest .. ffi.string(self.buffer, n)
end

function Client:receive()
   local head
   while not head do
      head = self.rest:match '^(.-\r\n)\r\n'
      if not head then
         more(self)
      end
   end
   local headers = {}
   for name, value in head:gmatch '([^\r\n:]+): ([^\r\n]*)\r\n' do
      headers[name:lower()] = value
   end
   local length = tonumber(headers['content-length'] or 0)
   while #self.rest < #head + 2 + length do
      more(self)
   end
   local body = self.rest:sub(#head + 3, #head + 2 + length)
   self.rest = self.rest:sub(#head + 3 + length)
   return tonumber(head:match '^HTTP/1.1 (%d+)'), body, headers
end

function Client:request(...)
   self:send(...)
   return self:receive()
end

return http
