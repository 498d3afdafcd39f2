--- Names of classes in files: what stands for one, and what to do where it is unknown.
-- @module torch.serialize.names

local M = {}

local LONGEST_SHOWN = 100 -- characters of a name in a message

-- Rocks of Torch7 have classes of the packages' names, too: what another file says is theirs.
local OURS = {
   dataset = [[
      Batches Concat DistributedSampler Folder Hdf5 LengthSampler Lines List Loader Map
      RandomSampler SequentialSampler ShuffledStream StratifiedSampler Subset Tensors
      Tokens WeightedSampler
   ]],
   ['dataset.loader'] = [[
      Job
   ]],
   ['dataset.text'] = [[
      Bpe Characters Words
   ]],
   ['dataset.transform'] = [[
      AutoAugment CenterCrop ColorJitter Compose CutMix Cutout Mixup Normalize RandAugment
      RandomCrop RandomErasing RandomFlip RandomResizedCrop RandomRotation Resize ToFloat
      Transform TrivialAugment
   ]],
   train = [[
      Accuracy Average Averaging Batches CSV Checkpoints Console EarlyStop Engine
      FunctionMeter LossScaler MeanAveragePrecision Plot Precision Summary TensorBoard
      TimeMeter Trainer
   ]],
}

--- Name -> whether it is a class of torch.dataset or torch.train.
M.ours = {}
for package, list in pairs(OURS) do
   for name in list:gmatch '%S+' do
      M.ours[package .. '.' .. name] = true
   end
end

--- The CPU's class of a CUDA class: torch.FloatTensor for torch.CudaTensor.
function M.host(name)
   local element, kind = name:match '^torch%.Cuda(%a*%d*)(Tensor)$'
   if not kind then
      element, kind = name:match '^torch%.Cuda(%a*%d*)(Storage)$'
   end
   if not kind then
      return name
   end
   return ('torch.%s%s'):format(element == '' and 'Float' or element, kind)
end

-- A text of the file as messages can show it: on one line, and not all of it.
local function shown(text)
   local start = text:sub(1, LONGEST_SHOWN):gsub('%c', function(c)
      return ('\\%d'):format(c:byte())
   end)
   return #text > LONGEST_SHOWN and ('%s... (%d characters)'):format(start, #text) or start
end

--- Raise what to do about a class that nobody has defined.
function M.unknown(name)
   local package, rest = name:match '^([%a_][%w_]*)%.(.+)'
   local advice = 'define it with torch.class before loading'
   if M.host(name) ~= name then
      advice = "require 'cutorch' before loading, or load it as a CPU tensor with "
         .. "torch.load(name, mode, referenced, {device = 'cpu'})"
   elseif package == 'torch' and rest:match '^Cuda' then
      advice = "require 'cutorch' (or what defines the class) before loading"
   elseif name == 'nn.DataParallelTable' then
      advice = "require 'cunn' before loading, in a build with CUDA and without device = 'cpu'; "
         .. 'or save net:get(1) there, the module without its devices, which loads anywhere'
   elseif package == 'cudnn' then
      advice = "require 'cudnn' before loading, in a build with CUDA; or save "
         .. 'cudnn.convert(net, nn) there, which loads anywhere'
   elseif package == 'nn' and rest:match '^Sync%a*BatchNormalization$' then
      advice = "require 'distributed' before loading"
   elseif M.ours[name] then
      advice = ("require 'torch.%s' before loading"):format(package)
   elseif package and package ~= 'torch' and #package <= LONGEST_SHOWN then
      advice = ("require '%s' (or what defines the class) before loading"):format(package)
   end
   error(('unknown Torch class <%s>: %s'):format(shown(name), advice), 0)
end

return M
