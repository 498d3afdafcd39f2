import resource

import torch

for i in range(3000):
    torch.empty(2**18).fill_(i)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(f"peak MiB, 3000 temporaries of 1 MiB\t{torch.get_num_threads()}\t{peak:.6g}")
