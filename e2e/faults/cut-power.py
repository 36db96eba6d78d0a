"""Shuts a mounted file system down at once, dropping all that was not written: cut-power.py MOUNTPOINT"""
import fcntl
import os
import struct
import sys

SHUTDOWN = 0x8004587D  # FS_IOC_SHUTDOWN: _IOR('X', 125, __u32)
WITHOUT_LOG_FLUSH = 2

fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), SHUTDOWN, struct.pack("I", WITHOUT_LOG_FLUSH))
