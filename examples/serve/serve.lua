--- Serves a saved model over HTTP by nginx and its Lua module; see README.md beside this file.

local ffi = require 'ffi'
local paths = require 'paths'
local options = paths.dofile '../common/options.lua'

local function shape(text)
   for size in (text .. 'x'):gmatch '(.-)x' do
      if not size:match '^[1-9]%d*$' then
         return 'sizes with x between them, such as 1x28x28'
      end
   end
end

local opt = options.parse('Serve a saved model over HTTP.', {
   { 'model', 'model.t7', 'file of the module', function(path)
      return not paths.filep(path) and 'a file' or nil
   end },
   { 'input', '1x28x28', 'shape of one sample', shape },
   { 'address', '127.0.0.1', 'where to listen (0.0.0.0: everywhere)' },
   { 'port', 8080, 'where to listen', options.whole(1, 65535) },
   { 'workers', 2, 'processes, each on one core', options.whole(1) },
   { 'most', 64, 'samples that are computed together, at most', options.whole(1) },
   { 'look', 1, 'seconds between looks at whether the file has changed', options.positive },
   { 'body', '8m', "a request's body, at most (k, m: nginx's units)" },
   { 'nginx', '', 'the program (empty: by PATH, then /usr/sbin/nginx)' },
})

local function program()
   if opt.nginx then
      return opt.nginx
   end
   for folder in ((os.getenv 'PATH' or '') .. ':/usr/sbin'):gmatch '[^:]+' do
      if paths.filep(folder .. '/nginx') then
         return folder .. '/nginx'
      end
   end
   options.refuse 'no nginx here: apt install nginx-light libnginx-mod-http-lua'
end

local nginx = program()
if not paths.filep(nginx) then
   options.refuse('there is no %s: apt install nginx-light libnginx-mod-http-lua', nginx)
end
local modules = paths.concat(paths.dirname(nginx), '../lib/nginx/modules')
if not paths.filep(modules .. '/ngx_http_lua_module.so') then
   options.refuse("nginx's Lua module is not in %s: apt install libnginx-mod-http-lua", modules)
end

local here = paths.concat(paths.dirname(paths.thisfile()))
local folder = os.tmpname()
os.remove(folder)
assert(paths.mkdir(folder))

local values = {
   folder = folder,
   modules = modules,
   lua_path = here .. '/?.lua;' .. package.path,
   lua_cpath = package.cpath,
   model = ('%q'):format(paths.concat(opt.model)),
   sizes = '{ ' .. opt.input:gsub('x', ', ') .. ' }',
}
local file = assert(io.open(here .. '/nginx.conf'))
local text = file:read('*a'):gsub('%${([%w_]+)}', function(name)
   return tostring(values[name] or opt[name])
end)
file:close()
file = assert(io.open(folder .. '/nginx.conf', 'w'))
file:write(text)
file:close()

-- nginx takes this process's place, so that whoever stops it stops the server.
ffi.cdef 'int execl(const char *path, const char *arg, ...);'
print(('http://%s:%d/predict, %d workers; Ctrl-C ends it'):format(opt.address, opt.port,
   opt.workers))
io.stdout:flush()
ffi.C.execl(nginx, nginx, '-p', folder, '-c', folder .. '/nginx.conf', ffi.cast('char *', nil))
options.refuse('cannot start %s', nginx)
