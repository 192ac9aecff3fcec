"""The launcher process: limits itself, then executes the body.

It runs in a fresh interpreter without site-packages, with this folder's parent as its only path of
its own, and so it imports the standard library and, relatively, its siblings.
"""
