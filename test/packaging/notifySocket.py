"""Stands in for systemd: waits on a datagram socket for one notification, and prints it. Ends by itself."""
import socket
import sys

seconds_max = 100
with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
    listener.bind(sys.argv[1])
    listener.settimeout(seconds_max)
    print("listening", flush=True)
    print(listener.recv(4096).decode(), flush=True)
