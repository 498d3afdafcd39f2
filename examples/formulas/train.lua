--- A net in the shape of its input: truth of logical formulas; see README.md beside this file.

local torch = require 'torch'
local optim = require 'optim'
local paths = require 'paths'
local options = paths.dofile '../common/options.lua'
local Progress = paths.dofile '../common/progress.lua'
local formulas = paths.dofile 'formulas.lua'

local opt = options.parse('Learn what logical formulas are worth, by nets in their shape.', {
   { 'size', 16, 'numbers that stand for a formula', options.whole(1) },
   { 'depth', 4, 'operators above one another in formulas to learn from', options.whole(1) },
   { 'steps', 600, 'training steps', options.whole(1) },
   { 'batchSize', 32, 'formulas in a training step', options.whole(1) },
   { 'learningRate', 1e-2, "Adam's step", options.positive },
   { 'threads', 1, 'threads (0: one for each core)', options.whole(0) },
   options.seed,
})

-- All parameters are views of one vector, so that the optimiser has one step to make.
local size = opt.size
local shapes = {
   { 'no', 1, size }, { 'yes', 1, size }, -- the two constants
   { 'not', size, size }, { 'and', 2 * size, size }, { 'or', 2 * size, size },
   { 'worth', size, 1 },
}
local count = 0
for _, shape in ipairs(shapes) do
   count = count + (shape[2] + 1) * shape[3]
end
local parameters = torch.randn(count):mul(1 / math.sqrt(2 * size)):requiresGrad()
local weight, bias = {}, {}

local function share_out()
   local first = 1
   for _, shape in ipairs(shapes) do
      local name, inputs, outputs = unpack(shape)
      weight[name] = parameters:narrow(1, first, inputs * outputs):view(outputs, inputs)
      bias[name] = parameters:narrow(1, first + inputs * outputs, outputs)
      first = first + (inputs + 1) * outputs
   end
end

--- The numbers that stand for a formula: of its operator's layer, given those of its parts.
local function meaning(formula)
   local operator, left, right = unpack(formula)
   if not left then
      return bias[operator]
   end
   local parts = right and torch.cat(meaning(left), meaning(right)) or meaning(left)
   return torch.tanh(torch.addmv(bias[operator], weight[operator], parts))
end

--- How sure the net is that a formula is true: above 0 it says yes.
local function score(formula)
   return torch.addmv(bias.worth, weight.worth, meaning(formula))
end

local adam = { learningRate = opt.learningRate }
local progress = Progress.new('training', opt.steps * opt.batchSize, 'formulas')
for _ = 1, opt.steps do
   share_out()
   local total = 0
   for _ = 1, opt.batchSize do
      local formula = formulas.draw(torch.random(opt.depth))
      local sign = formulas.value(formula) and -1 or 1
      total = total + torch.log1p(torch.exp(score(formula) * sign))
   end
   local loss = total / opt.batchSize
   loss:backward()
   torch.noGrad(optim.adam, function() return nil, parameters.grad end, parameters, adam)
   parameters:zeroGrad()
   progress:add(opt.batchSize, loss:item())
end

torch.noGrad(function()
   share_out()
   for depth = 1, opt.depth + 4 do
      local right = 0
      for _ = 1, 500 do
         local formula = formulas.draw(depth)
         if (score(formula)[1] > 0) == formulas.value(formula) then
            right = right + 1
         end
      end
      print(('%d operators deep: %5.1f%% right%s'):format(depth, right / 5,
         depth > opt.depth and ', deeper than it ever saw' or ''))
   end
end)
local example = { 'and', { 'or', { 'no' }, { 'not', { 'no' } } }, { 'yes' } }
print(('%s: %s'):format(formulas.text(example),
   torch.noGrad(score, example)[1] > 0 and 'yes' or 'no'))
