"""The instruments of a comparison: what can be computed from its results, each in a module of its own.

Pure functions of values of ``ir_core.schema`` (and an ``Engine`` where vectors or one more search are needed) that
give frozen types of their own; ``ir_core.charts`` draws them, pages show them. Import from the module.
"""
