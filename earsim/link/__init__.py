"""Live episodes and models over a socket: the 16 messages of an operation on WebSocket.

`linked_episode` is the carrier-free half: texts come in, texts go out, and a program that plays in
process uses it as it stands. `server` puts it on a socket, `client` is its other end, and
`remote_model` lets a simulator elsewhere stand behind an apparatus. What needs a socket needs the
extra `science`.
"""
