# SPDX-License-Identifier: MIT
"""500 argon atoms, 200 steps, on OpenMM's OpenCL platform.

Prints OpenMM's version and the final energy; the same seed gives the same numbers.
"""
import sys

try:
    import openmm as mm
    from openmm import unit
except ImportError:
    from simtk import openmm as mm, unit

ATOMS, STEPS, EDGE = 500, 200, 3.0

system = mm.System()
force = mm.NonbondedForce()
force.setNonbondedMethod(mm.NonbondedForce.NoCutoff)
for _ in range(ATOMS):
    system.addParticle(39.9 * unit.dalton)
    force.addParticle(0.0, 0.34 * unit.nanometer, 0.997 * unit.kilojoule_per_mole)
system.addForce(force)
integrator = mm.LangevinIntegrator(
    120 * unit.kelvin, 1 / unit.picosecond, 0.002 * unit.picoseconds
)
integrator.setRandomNumberSeed(1)
platform = mm.Platform.getPlatformByName("OpenCL")
simulation = mm.Context(
    system,
    integrator,
    platform,
    {"OpenCLPlatformIndex": sys.argv[1], "DeviceIndex": "0", "Precision": "single"},
)
side = 8
simulation.setPositions(
    [
        mm.Vec3(i % side, i // side % side, i // side // side) * (EDGE / side)
        for i in range(ATOMS)
    ]
)
integrator.step(STEPS)
state = simulation.getState(getEnergy=True)
energy = state.getPotentialEnergy() + state.getKineticEnergy()
print(mm.Platform.getOpenMMVersion(), f"{energy.value_in_unit(unit.kilojoule_per_mole):.3f} kJ/mol")
