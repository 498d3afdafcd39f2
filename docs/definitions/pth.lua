---@meta pth
-- Written by `th docs/make_definitions.lua` from the docstrings; not to be edited.

local pth = {}

---Read what `torch.save` of PyTorch 1.6 or later has written: tensors, numbers, texts, and
---lists and dicts of them, such as a state_dict.
---
---Dicts become tables by key, lists and tuples lists; None is left out. A tensor without
---dimensions has one element here. Tensors that share a storage share it here, too. In Python,
---`torch.save(net.state_dict(), path)` writes such a file; whole nets name their classes, which are
---code, and are refused.
---@param path string (string)
---@return torch.Tensor
function pth.load(path) end

return pth
