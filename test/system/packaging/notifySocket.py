"""Stands in for systemd: prints so many notifications (one, unless told) of a datagram socket. Ends by itself."""
import socket
import sys

seconds_max = 100
with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
    listener.bind(sys.argv[1])
    listener.settimeout(seconds_max)
    print("listening", flush=True)
    for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else 1):
        print(listener.recv(4096).decode(), flush=True)
