import harness
import nets

for net in nets.each():
    name = f"{net.name}, training step"
    if harness.wanted(name):
        model, criterion, x, target = net.make()
        model, name = nets.compiled(model, name)
        harness.case(name, harness.loop(nets.step(model, criterion, x, target)))
