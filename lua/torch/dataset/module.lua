--- The table that `require 'torch.dataset'` gives: classes store their constructors in it.
return {}
