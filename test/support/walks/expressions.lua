--- Calls of torch's methods and functions as Lua text, and what they give: specs that walk all of
-- them take them from here.
local torch = require 'torch'

local M = {}

--- Calls with numbers among their arguments.
M.numeric = {
   -- elements
   'x[2]', 'v[2]', 'x[2][3]', 'x[{ 2, 3 }]', 'x[{ 2 }]', 'x[{ { 1, 2 }, 3 }]', 'x[{ {}, { 2 } }]',
   'b[{ 1, 2, -1 }]', 'b[{ 1, {}, { 2, 3 } }]', 's[3]', 'k[-1]', 'put(v, 2, 5)', 'put(x, 2, 5)',
   'put(x, { 2, 3 }, 5)', 'put(x, { 1, { 2, 3 } }, 5)', 'put(x, x:gt(4), 5)', 'put(s, 2, 7.5)',
   'put(k, { 1, 2 }, 3.9)', 'put(x, torch.LongStorage { 1, 2 }, 3)',
   -- operators
   'x + 2', '2 + x', 'x - 2', '2 - x', 'x * 2', '2 * x', 'x / 2', 'x % 2', 'k * 3', 'k / 2',
   -- construction
   'torch.Tensor(3, 4):zero()', 'torch.Tensor(3):zero()', 'torch.IntTensor(2, 2, 2):zero()',
   'torch.Tensor { 1, 2 }', 'torch.Tensor { { 1, 2.5 }, { 3, 4 } }', 'torch.Tensor(s, 2, 3, 1)',
   'torch.Tensor(s, 1, 2, 3, 2, 1)', 'torch.Tensor(s, 2, torch.LongStorage { 2, 2 })',
   'torch.DoubleStorage { 1, 2, 3 }', 'torch.DoubleStorage(s, 2, 2)', 'x.new(2, 3):zero()',
   's:resize(3)', 's:fill(2)', 'torch.zeros(2, 3)', "torch.zeros(2, 3, 'torch.IntTensor')",
   'torch.ones(2, 3)', 'r:zeros(2)', 'r:ones(2)', 'torch.range(1, 7)', 'torch.range(1, 7, 2)',
   'r:range(1, 3)', 'torch.linspace(0, 1, 5)', 'r:linspace(0, 1, 3)', 'torch.logspace(0, 1, 5)',
   'r:logspace(0, 1, 3)', 'torch.eye(2)', 'torch.eye(2, 3)', 'r:eye(3)', 'x:fill(2)',
   'torch.fill(x, 2)', 'x:diag(1)', 'torch.diag(v, -1)', 'torch.tril(x, 1)', 'x:triu(1)',
   'torch.cat(x, x, 1)', 'x:cat(x, 2)', 'torch.cat({ x, x }, 1)', 'r:cat({ x, x }, 2)',
   'torch.reshape(x, 4, 3)', 'x:reshape(2, 6)', 'r:reshape(x, 12)', 'torch.repeatTensor(v, 2, 2)',
   'x:repeatTensor(1, 2)', 'r:repeatTensor(x, 2, 1)', 'torch.stack({ x, x }, 2)',
   'r:stack({ x, x }, 1)',
   -- geometry
   'x:size(1)', 'x:stride(1)', 'r:resize(2, 3):zero()', 'r:set(s, 2, 2, 2, 2, 1)',
   'x:narrow(1, 2, 1)', 'x:sub(1, 2, 2, -1)', 'x:select(2, 3)', 'v:select(1, 2)',
   'b:transpose(1, 3)', 'b:permute(3, 1, 2)', 'torch.permute(b, 3, 1, 2)', 'v:unfold(1, 2, 2)',
   'x:view(1, 3, 4):expand(2, 3, 4)', 'torch.expand(x:view(1, 3, 4), 2, 3, 4)',
   'torch.view(x, 4, 3)', 'x:view(2, -1)', 'r:view(x, 12)', 'x:view(3, 1, 4):squeeze(2)',
   'torch.squeeze(x:view(3, 1, 4), 2)', 'x:unsqueeze(1)', 'torch.unsqueeze(x, 3)', 'x:split(2)',
   'torch.split(x, 3, 2)', 'x:chunk(2, 2)', 'torch.chunk(x, 2)', 'x:narrow(1, 1.9, 2.9)',
   'torch.Tensor(2.7, 3.2):zero()', 'v[2.9]', 'put(v, 1.5, 4)',
   -- arithmetic that is not among the rows
   'x:add(2)', 'x:add(2, y)', 'r:add(x, 2)', 'r:add(x, 2, y)', 'torch.add(x, 2)',
   'torch.add(x, 2, y)', 'torch.add(r, x, 2, y)', 'x:csub(2)', 'x:csub(2, y)', 'r:csub(x, 2, y)',
   'torch.csub(x, 2)', 'torch.csub(x, 2, y)', 'torch.csub(r, x, 2)', 'x:pow(2)', 'r:pow(x, 2)',
   'r:pow(2, x)', 'torch.pow(x, 2)', 'torch.pow(2, x)', 'torch.pow(2, 3)', 'torch.pow(r, x, 2)',
   'x:lerp(y, 0.25)', 'r:lerp(x, y, 0.25)', 'torch.lerp(x, y, 0.25)', 'torch.lerp(r, x, y, 0.25)',
   'torch.lerp(1, 3, 0.25)', 'x:cmax(4)', 'r:cmax(x, 4)', 'torch.cmax(x, 4)', 'x:cmin(4)',
   'r:cmin(x, 4)', 'torch.cmin(x, 4)', 'k:bitand(3)', 'torch.bitor(k, 3)', 'k:bitxor(3)',
   'x:mod(3)', 'torch.mod(x, 3)', 'x:clamp(2, 5)', 'x:clamp(2, nil)', 'r:clamp(x, nil, 5)',
   'torch.clamp(x, 2, 5)', 'torch.clamp(r, x, 2, 5)', 'torch.where(x:gt(3), x, 0)',
   'torch.where(x:gt(3), 1, 0)', 'torch.atan2(1, 2)', 'torch.sqrt(4)', 'torch.exp(1)',
   'torch.abs(-1)', 'x:addcmul(2, y, y)', 'r:addcmul(x, 2, y, y)', 'torch.addcmul(x, 2, y, y)',
   'torch.addcdiv(r, x, 2, y, y)', 'x:addcdiv(2, y, y)',
   -- products
   'q:addmm(2, q, q)', 'q:addmm(2, 3, q, q)', 'r:addmm(2, q, 3, q, q)', 'r:addmm(q, 3, q, q)',
   'r:addmm(2, q, q, q)', 'torch.addmm(q, 2, q, q)', 'torch.addmm(2, q, q, q)',
   'torch.addmm(2, q, 3, q, q)', 'torch.addmm(r, 2, q, 3, q, q)', 'torch.addmm(r, 2, q, q, q)',
   'u:addmv(2, q, u)', 'torch.addmv(2, u, 3, q, u)', 'q:addr(2, u, u)', 'torch.addr(2, q, u, u)',
   'b:baddbmm(2, c, d)', 'torch.baddbmm(2, b, 3, c, d)', 'torch.addbmm(2, b[1], 3, c, d)',
   'b[1]:addbmm(2, c, d)',
   -- reductions and order
   'x:sum(1)', 'torch.sum(r, x, 2)', 'x:prod(1)', 'x:mean(2)', 'x:min(1)', 'torch.max(x, 2)',
   'x:var(1)', 'torch.std(x, 1, true)', 'x:norm(3)', 'x:norm(3, 1)', 'torch.norm(r, x, 1, 2)',
   'x:dist(y, 3)', 'x:cumsum(2)', 'torch.cumprod(x, 2)', 'r:cumsum(x, 1)', 'x:logsumexp(1)',
   'torch.allclose(x, y, 0.5, 100)', 'x:index(1, i)', 'torch.gather(x, 1, j)',
   'x:indexCopy(1, i, y)', 'x:indexAdd(1, i, y)', 'x:indexFill(1, i, 5)', 'x:scatter(1, j, 5)',
   'x:scatter(1, j, y)', 'torch.scatter(x, 1, j, 5)', 'x:maskedFill(x:gt(3), 5)', 'x:sort(1)',
   'torch.sort(x, 1, true)', 'x:topk(2)', 'torch.topk(x, 2, 1, true)', 'x:kthvalue(2, 1)',
   'torch.median(x, 1)', 'x:mode(1)',
   -- others
   'torch.cross(q, q, 2)', 'x:match(y, y, 2)', 'torch.match(y, y, 2)', 'x:renorm(2, 1, 3)',
   'torch.renorm(x, 2, 1, 3)', 'x:histc(3)', 'torch.histc(x, 3, 0, 10)',
   'torch.bhistc(x, 3, 0, 10)', "torch.pstrf(q, 'U', 0.5)", 'torch.pstrf(q, 0.5)',
   'x:apply(function() return 3 end)', 'x:map(y, function() return 3.5 end)',
   'x:map2(y, y, function() return 3 end)',
   -- random numbers
   'torch.random(5)', 'torch.random(3, 9)', 'v:random(5)', 'v:random(3, 9)', 'torch.uniform(1, 2)',
   'v:uniform(1, 2)', 'torch.normal(1, 2)', 'v:normal(1, 2)', 'v:cauchy(1, 2)',
   'v:logNormal(1, 2)', 'v:exponential(2)', 'v:geometric(0.5)', 'v:bernoulli(0.25)',
   'torch.bernoulli(0.25)', 'torch.rand(2, 3)', 'r:randn(2, 3)', 'torch.randn(2, 3)',
   'torch.randperm(5)', 'r:randperm(5)', 'torch.multinomial(v, 2)', 'v:multinomial(3, true)',
   'torch.random(torch.manualSeed(8))',
   -- PyTorch's names
   'torch.argmax(x, 1)', 'x:argmin(-1)', 'x:argsort(1)', 'torch.full({ 2, 3 }, 7)',
   'torch.full_like(x, 7)', 'torch.arange(3)', 'torch.arange(1, 7, 2)', 'torch.tensor(3)',
   'torch.randint(5, { 2, 3 })', 'torch.randint(2, 5, { 4 })',
}

--- Calls without numbers that do something with elements.
M.plain = {
   -- PyTorch's names
   'torch.zeros_like(x)', 'torch.ones_like(x)', 'torch.empty_like(x):zero()',
   'torch.rand_like(x)', 'torch.randn_like(x)', 'torch.matmul(q, q)', 'q:matmul(u)',
   'torch.outer(u, u)', 'u:outer(u)', 'x:tolist()', 'torch.tolist(x)',
   -- one pass over memory
   "torch.fuse('z = tanh(x) * y + u') (x, y, 2)",
   -- reductions
   'x:sum()', 'x:prod()', 'x:mean()', 'x:min()', 'x:max()', 'x:var()', 'x:std(true)', 'x:norm()',
   'x:dot(y)', 'torch.dot(x, y)', 'x:dist(y)', 'q:trace()', 'x:equal(y)', 'm:all()', 'm:any()',
   'm:sum()', 'x:cumsum()', 'x:cumprod()', 'torch.allclose(x, y)', 'v:narrow(1, 2, 1):item()',
   -- positions, masks, order
   'x:maskedSelect(m)', 'r:maskedSelect(x, m)', 'x:maskedFill(m, 5)', 'x:maskedCopy(m, y)',
   'x[m]', 'put(x, m, y)', 'put(x, m, 3)', 'x:nonzero()', 'torch.nonzero(m)', 'x:sort()',
   'torch.topk(x)', 'x:median()', 'x:mode()', 'x:scatter(1, j, x)',
   -- products
   'torch.mm(q, q)', 'r:resize(3, 3):mm(q, q)', 'q * q', 'torch.mv(q, u)', 'q * u', 'u * u',
   'torch.ger(u, u)', 'torch.bmm(c, d)', 'q:addmm(q, q)', 'u:addmv(q, u)', 'q:addr(u, u)',
   'b:baddbmm(c, d)', 'q:addbmm(c, d)', 'torch.linear(q, q, u)',
   -- linear algebra
   'torch.gesv(q, q)', 'torch.gels(q, q)', 'torch.trtrs(q, q)', "torch.symeig(q, 'V')",
   "torch.eig(q, 'V')", 'torch.svd(q)', 'torch.inverse(q)', 'torch.potrf(q)',
   'torch.potrs(q, q)', 'torch.potri(q)', 'torch.pstrf(q)', 'torch.qr(q)', 'torch.geqrf(q)',
   'torch.orgqr(torch.geqrf(q))', 'torch.ormqr(q, u, q)', 'x:conv2(q)', 'torch.conv2(x, q)',
   "torch.xcorr2(x, q, 'F')", 'torch.conv3(b, d)', 'torch.xcorr3(b, d)',
   'torch.cross(q, q)', 'torch.match(q, q)', 'torch.histc(x)', 'torch.bhistc(x)',
   -- arithmetic beside the rows
   'x:add(y)', 'x + y', 'x - y', '-x', 'x:csub(y)', 'torch.csub(x, y)', 'x:cmod(y)',
   'torch.where(m, x, y)', 'x:logsumexp(2)',
   "torch.einsum('ij,jk', q, q)",
   -- copies and types
   'x:clone()', 'x:t():contiguous()', 'x:copy(k)', 'x:copy(y)', 'r:resizeAs(x):zero()',
   'torch.zero(x)', 'x:expandAs(x):clone()', 'x:viewAs(y):clone()', 'x:byte()', 'x:char()',
   'x:short()', 'x:int()', 'x:long()', 'x:half()', 'x:bfloat16()', 'x:float()', 'x:double()',
   'x:real()', 'x:typeAs(k)', "x:type('torch.IntTensor')", 'x:totable()', 'torch.totable(x)',
   'x.new(x):clone()', 'put(x, { {}, 2 }, x[{ {}, 1 }])', 'put(x, 2, y[1])',
   's:copy(s:int())', 's:fill(3)', 's:totable()', "s:type('torch.FloatStorage')", 's:half()',
   'torch.deserialize(torch.serialize(x))', 'torch.deserialize(torch.serialize(s))',
   'torch.deserializeFromStorage(torch.serializeToStorage(x))',
   -- random numbers
   'v:random()', 'v:uniform()', 'v:normal()', 'v:cauchy()', 'v:bernoulli()',
   'v:bernoulli(torch.div(v, 5))', 'torch.setRNGState(torch.getRNGState())',
   'torch.multinomialAliasSetup(v)', 'torch.multinomialAlias(i, torch.multinomialAliasSetup(v))',
   'torch.multinomialAliasSetup_(v)',
   'torch.multinomialAlias_(i, torch.multinomialAliasSetup_(v))',
}

-- The rows of lib/TH/ops/*.def.
local NUMERIC = {
   scalar = { '%s:NAME(2)', 'r:NAME(%s, 2)', 'torch.NAME(%s, 2)', 'torch.NAME(r, %s, 2)' },
   scalar2 = { '%s:NAME(2, 5)', 'r:NAME(%s, 2, 5)', 'torch.NAME(%s, 2, 5)',
      'torch.NAME(r, %s, 2, 5)' },
   ternary_scalar = { '%s:NAME(2, y, y)', 'r:NAME(%s, 2, y, y)', 'torch.NAME(%s, 2, y, y)',
      'torch.NAME(r, %s, 2, y, y)' },
   compare = { '%s:NAME(2)', 'torch.NAME(%s, 2)', 'torch.NAME(r, %s, 2)' },
}
local PLAIN = {
   unary = { '%s:NAME()', 'r:NAME(%s)', 'torch.NAME(%s)' },
   binary = { '%s:NAME(%s)', 'r:NAME(%s, %s)', 'torch.NAME(%s, %s)' },
   compare = { '%s:NAME(y)', 'torch.NAME(%s, y)' },
}
local function addRows(list, forms)
   for _, op in ipairs(torch.ops) do
      for _, form in ipairs(torch[op.name] and forms[op.family] or {}) do
         local operand = op.dtypes == 'Integral' and 'k' or 'x'
         local text = form:gsub('%%s', operand):gsub('NAME', op.name)
         if operand == 'k' then
            text = text:gsub('%f[%w]r%f[%W]', 'l')
         end
         list[#list + 1] = text
      end
   end
end
if torch.CudaTensor then
   M.plain[#M.plain + 1] = 'x:copyAsync(y)'
end
addRows(M.numeric, NUMERIC)
addRows(M.plain, PLAIN)

--- The names that an expression may use, each with a new value.
-- @string[opt] typename of the tensors that hold fractions: by default the default type
-- @tparam[opt] function lay makes of each operand the same tensor, laid out otherwise
function M.environment(typename, lay)
   typename = typename or torch.getdefaulttensortype()
   lay = lay or function(t) return t end
   local function own(t) return lay(t:type(typename)) end
   local x = torch.range(1, 12):resize(3, 4)
   local env = {
      torch = torch, x = own(x), y = own(x:clone():add(0.5)), v = own(torch.range(1, 5)),
      r = torch.Tensor():type(typename), m = lay(x:gt(4)),
      b = own(torch.range(1, 18):resize(2, 3, 3)),
      c = own(torch.range(1, 18):resize(2, 3, 3)), d = own(torch.range(2, 19):resize(2, 3, 3)),
      k = lay(x:int()), l = torch.IntTensor(), s = torch.DoubleStorage { 1, 2, 3, 4, 5, 6, 7, 8 },
      q = own(torch.DoubleTensor { { 4, 1, 0 }, { 1, 5, 1 }, { 0, 1, 6 } }),
      u = own(torch.range(1, 3)),
      i = lay(torch.LongTensor { 3, 1, 2 }), j = lay(torch.LongTensor { { 1, 2, 3, 1 } }),
   }
   function env.put(t, key, value)
      t[key] = value
      return t
   end
   return env
end

--- What a call gives, as text: exact, types and sizes included.
function M.show(value)
   if torch.isTensor(value) or torch.isStorage(value) then
      local shape = torch.isTensor(value) and value:size():totable() or { #value }
      return ('%s %s {%s}'):format(torch.type(value), table.concat(shape, 'x'),
         M.show(value:totable()))
   elseif type(value) == 'table' then
      local list = {}
      for i = 1, #value do
         list[i] = M.show(value[i])
      end
      return table.concat(list, ', ')
   elseif type(value) == 'number' then
      return ('%.17g'):format(value)
   end
   return type(value) .. ' ' .. tostring(value)
end

--- The call as a function. Its random numbers are always the same.
function M.prepare(text, ...)
   local chunk = setfenv(assert(loadstring('return ' .. text)), M.environment(...))
   torch.manualSeed(1)
   return chunk
end

function M.evaluate(text)
   return M.show { M.prepare(text)() }
end

--- Functions of torch and methods of tensors that no expression calls.
-- @param without set of names that need none
-- @param ... lists of expressions
-- @return list of names
function M.missing(without, ...)
   local seen, missing = {}, {}
   for _, list in ipairs { ... } do
      for _, text in ipairs(list) do
         for name in text:gmatch '[.:](%a[%w_]*)[ (]' do
            seen[name] = true
         end
      end
   end
   for _, owner in ipairs { torch, torch.getmetatable(torch.Tensor():type()) } do
      for name, value in pairs(owner) do
         if type(value) == 'function' and not name:match '^__' and not seen[name]
            and not without[name] then
            missing[#missing + 1] = name
         end
      end
   end
   return missing
end

return M
