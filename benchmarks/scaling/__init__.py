"""Cost against size: `python -m benchmarks.scaling`. A module a section, each giving rows of figures."""
