"""EAR-Sim as an OpenEnv environment: a server of worlds, and a client for it.

Everything but this file and `worlds` needs the extra `openenv`.
"""
