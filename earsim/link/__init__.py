"""Live episodes over a socket: the 16 messages of an operation on WebSocket.

`linked_episode` is the half without a carrier: texts come in, texts go out, and a program that
plays in process uses it as it stands. `server` puts it on a socket, `client` is its other end. What
needs a socket needs the extra `science`.
"""
