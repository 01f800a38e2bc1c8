# SPDX-License-Identifier: MIT
# A few training steps of a small network on an NVIDIA GPU: a program that nobody here wrote the
# kernels of. Prints the loss, which is the same in each run.
import torch

torch.manual_seed(1)
torch.use_deterministic_algorithms(False)
device = torch.device("cuda")
model = torch.nn.Sequential(torch.nn.Linear(256, 512), torch.nn.ReLU(), torch.nn.Linear(512, 10)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
inputs = torch.randn(128, 256, device=device)
targets = torch.randint(0, 10, (128,), device=device)
for _ in range(5):
    optimizer.zero_grad()
    loss = torch.nn.functional.cross_entropy(model(inputs), targets)
    loss.backward()
    optimizer.step()
torch.cuda.synchronize()
print("loss %.4f" % loss.item())
