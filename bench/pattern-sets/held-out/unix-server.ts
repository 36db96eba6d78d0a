import { call, type ProgramLog, rare, text } from '../call.ts'
import {
  amount,
  clock,
  day,
  decimal,
  domain,
  either,
  flag,
  hex,
  int,
  mac,
  maybe,
  once,
  oneOf,
  padded,
  person,
  port,
  privateIp,
  publicIp,
  rising,
  shortDate,
  someOf,
  upper,
  words,
} from '../values.ts'

const nic = words('eth0 eth1 bond0 enp3s0 wlan0 br0 docker0 veth3f2a1c0')
const disk = words('sda sdb sdc nvme0n1 sdd')
const partition = words('sda1 sdb2 dm-0 nvme0n1p2 md0')
const unit = words(
  'cron.service nginx.service docker.service ssh.service logrotate.service apt-daily.service user@1000.service postfix.service fstrim.timer man-db.timer snapd.service session-412.scope systemd-tmpfiles-clean.service',
)
const described = either(
  text`Session ${rising(100, 0.4)} of user ${person}`,
  oneOf(
    'Regular background program processing daemon',
    'Rotate log files',
    'Daily package index download',
    'OpenBSD Secure Shell server',
    'Cleanup of Temporary Directories',
    'Network Manager Script Dispatcher Service',
    'Discard unused blocks',
    'User Manager for UID 1000',
    'Message of the Day',
    'Postfix Mail Transport Agent',
    'LVM2 metadata daemon',
    'Hostname Service',
  ),
)
const pid = rising(2_100, 9)
const seconds = text`${rising(1_714_000_000, 43)}.${padded(3, int(0, 999))}:${rising(100, 2)}`
const address = text`0x${padded(16, hex(9))}`
const command = oneOf(
  'run-parts /etc/cron.hourly',
  '/usr/lib/sysstat/sa1 1 1',
  'test -x /usr/sbin/anacron || run-parts /etc/cron.daily',
  '/opt/backup/run.sh --quiet',
  '/usr/bin/certrenew -q renew',
  'php -f /var/www/cron.php > /dev/null 2>&1',
)
const program = words('nginx mysqld python3 java sshd bash cupsd dhclient node')
const table = words('XSDT FACP DSDT SSDT APIC HPET MCFG BGRT')
const kind = oneOf('usable', 'reserved', 'ACPI data', 'ACPI NVS', 'unusable')
const user = either(person, words('admin test ubuntu pi oracle1 ftpuser minecraft nagios www deploy2 steam'))
const remote = once(publicIp)

export const unixServer: ProgramLog = {
  name: 'unix-server',
  heldOut: true,
  calls: [
    call(80)`Started ${described}.`,
    call(50)`Starting ${described}...`,
    call(30)`Stopped ${described}.`,
    call(16)`Stopping ${described}...`,
    call(80)`${unit}: Ended cleanly.`,
    call(30)`${unit}: Used ${decimal(0.01, 9, 3)}s of CPU time.`,
    call(
      140,
    )`auth(${words('sshd cron sudo su login')}:session): opened session of user ${person} for ${maybe(0.4, person)}(uid=${oneOf('0', '1000')})`,
    call(138)`auth(${words('sshd cron sudo su login')}:session): closed session of user ${person}`,
    call(
      95,
    )`auth(sshd:auth): credentials refused; login= uid=0 tty=ssh ruser= rhost=${either(publicIp, text`host${int(1, 200)}.${domain}`)} ${maybe(0.5, text` user=${person}`)}`,
    call(
      70,
    )`Rejected ${words('password none publickey')} of ${maybe(0.4, text`unknown user `)}${user} at ${publicIp} port ${port} proto2`,
    call(
      50,
    )`Admitted ${words('publickey password keyboard-interactive/pam')} of ${person} at ${privateIp} port ${port} proto2`,
    call(50)`Peer ${publicIp} port ${port} hung up [early]`,
    call(
      36,
    )`Peer ${publicIp} port ${port} asked to disconnect, code 11: ${oneOf('Bye Bye', 'disconnected by user', '', 'Normal Shutdown, thanks')} [early]`,
    call(60)`(${words('root www-data backup')}) RUN (${command})`,
    call(40)`Session ${rising(100, 0.4)} begins for user ${person}.`,
    call(36)`Session ${rising(100, 0.4)} ends. Its processes have 90 seconds to leave.`,
    call(34)`Session ${rising(100, 0.4)} is gone.`,
    call(
      45,
    )`audit: type=1400 audit(${seconds}): guard="${words('DENIED ALLOWED')}" operation="${words('open exec mknod connect')}" profile="/usr/sbin/${program}" name="/${words('etc/shadow proc/1/status run/x.sock var/lib/state')}" pid=${pid} comm="${program}" denied_mask="${words('r w x wr')}" fsuid=${oneOf('0', '33')} ouid=0`,
    call(
      20,
    )`audit: type=1326 audit(${seconds}): auid=${oneOf('1000', '4294967295')} uid=${oneOf('0', '33')} pid=${pid} comm="${program}" sig=${oneOf('0', '31')} arch=c000003e syscall=${int(1, 330)} compat=0 ip=0x${hex(12)} code=0x50000`,
    call(
      40,
    )`firewall: ${words('DROP REJECT LOG')} IN=${nic} OUT=${maybe(0.3, nic)} MAC=${mac} SRC=${publicIp} DST=${privateIp} LEN=${int(40, 1500)} TTL=${int(30, 250)} PROTO=${words('TCP UDP')} SPT=${port} DPT=${oneOf('22', '23', '445', '3389')}`,
    call(22)`lease of ${privateIp} on ${nic} bound, renewal in ${amount(400, 80_000)} seconds`,
    call(
      12,
    )`${nic}: link up, ${oneOf('1000', '10000', '100')} Mbps, ${oneOf('full', 'half')} duplex, lpa 0x${upper(hex(4))}`,
    call(10)`${nic}: link down`,
    call(8)`device ${nic} enters monitor mode`,
    call(8)`device ${nic} leaves monitor mode`,
    call(
      12,
    )`pci 0000:${hex(2)}:${hex(2)}.${int(0, 7)}: window ${int(0, 6)}: assigned [${words('mem io')} 0x${hex(8)}-0x${hex(8)}]`,
    call(
      8,
    )`pci 0000:${hex(2)}:${hex(2)}.${int(0, 7)}: [${hex(4)}:${hex(4)}] type ${oneOf('00', '01')} class 0x${hex(6)}`,
    call(12)`firmware memory: [mem ${address}-${address}] ${kind}`,
    call(
      9,
    )`ACPI: ${table} ${address} ${upper(hex(6))} (v0${int(1, 4)} ${words('BOCHS DELL ALASKA INTEL')}  ${words('BXPCDSDT A_M_I_ PE_SC3')} ${padded(8, int(1, 4))} ${words('INTL BXPC MSFT')} ${hex(8)})`,
    call(
      8,
    )`usb ${int(1, 4)}-${oneOf('1', '1.4', '2.1', '3')}: new ${words('high-speed full-speed low-speed SuperSpeed')} device, address ${int(2, 40)}, driver xhci`,
    call(6)`usb ${int(1, 4)}-${oneOf('1', '1.4', '2.1', '3')}: device gone, address ${int(2, 40)}`,
    call(
      6,
    )`usb ${int(1, 4)}-${oneOf('1', '1.4', '2.1', '3')}: product string: ${oneOf('USB Optical Mouse', 'Virtual Keyboard', 'DataTraveler 3.0', 'UPS')}`,
    call(
      6,
    )`extfs (${partition}): mounted, journal in ordered mode, options ${oneOf('(null)', 'errors=remount-ro', 'discard,noatime')}`,
    call(8)`CPU${int(0, 31)}: too hot, slowing down (${amount(1, 90_000)} times so far)`,
    call(8)`CPU${int(0, 31)}: cooled down, full speed again`,
    call(7)`peer ${publicIp} selected, stratum ${int(1, 4)}, offset ${decimal(-0.09, 0.09, 6)} s`,
    call(7)`time slewed by ${decimal(-0.4, 0.4, 6)} s`,
    rare`Memory exhausted: ended process ${pid} (${program}) vm:${amount(90_000, 9_000_000)}kB, anon:${amount(9_000, 900_000)}kB, file:${int(0, 4000)}kB`,
    rare`${program} woke the memory reaper: mask=0x${hex(6)}, order=${int(0, 3)}, adjust=${oneOf('0', '-900', '999')}`,
    rare`${program}[${pid}]: bad access to ${hex(8)} pc ${hex(12)} sp ${hex(12)} code ${oneOf('4', '6', '14')} in ${words('libc.so.6 libssl.so.3 php')}[${hex(12)}+${hex(5)}]`,
    rare`NOTE: task ${program}:${pid} hangs since 120 seconds.`,
    rare`ata${int(1, 6)}.00: command failed, ${oneOf('READ FPDMA QUEUED', 'WRITE DMA', 'FLUSH CACHE EXT')}`,
    rare`ata${int(1, 6)}: port online at ${oneOf('6.0', '3.0')} Gbps (status ${oneOf('133', '123')} control 300)`,
    rare`ata${int(1, 6)}: port offline (status ${oneOf('0', '4')} control 300)`,
    rare`[${disk}] ${int(100_000, 99_999_999)} blocks of 512 bytes: (${decimal(1, 8, 2)} TB/${decimal(1, 7, 2)} TiB)`,
    rare`[${disk}] write caching ${words('enabled disabled')}, read caching enabled, FUA supported`,
    rare`[${disk}] ready as SCSI ${words('disk CD-ROM')}`,
    rare`transfer error on ${disk} at sector ${int(1000, 900_000_000)} op 0x${oneOf('0', '1')}:(${words('READ WRITE')}) flags 0x${hex(3)}`,
    rare`transfer error on ${partition} at block ${int(1000, 9_000_000)}, page lost`,
    rare`extfs error (device ${partition}): lookup:${int(1000, 2000)}: inode #${int(2, 90_000)}: comm ${program}: refers to deleted inode ${int(2, 90_000)}`,
    rare`raid1: ${partition}: trying sector again: ${int(1000, 900_000_000)}`,
    rare`resync of RAID array ${words('md0 md1 md127')}`,
    rare`${words('md0 md1 md127')}: resync done.`,
    rare`Unix kernel 6.1.0-${int(9, 23)}-amd64 (build@${words('kb1 kb2')}) #1 SMP ${day}`,
    rare`Booted with: BOOT_IMAGE=/vmlinuz root=/dev/${partition} ro ${someOf(0, 3, 'quiet splash nomodeset console=ttyS0 mitigations=off', ' ')}`,
    rare`Memory: ${int(900_000, 65_000_000)}K/${int(900_000, 65_000_000)}K free (${int(9000, 16_000)}K code, ${int(900, 3000)}K data, ${int(100_000, 900_000)}K held back)`,
    rare`smp: ${int(1, 2)} node${maybe(0.5, text`s`)} online, ${oneOf('4', '8', '32')} CPUs`,
    rare`Delay loop measured: ${decimal(4000, 6000, 2)} units (${int(900_000, 9_999_999)} per tick)`,
    rare`net: protocol family added: ${int(1, 40)}`,
    rare`net: protocol family removed: ${int(1, 40)}`,
    rare`IPv6: autoconf (UP): ${nic} has no carrier yet`,
    rare`IPv6: autoconf (CHANGE): ${nic} has a carrier`,
    rare`Swap of ${int(900_000, 9_000_000)}k on /dev/${partition}  priority:${int(-4, -1)} extents:${int(1, 3)} span:${int(900_000, 9_000_000)}k`,
    rare`input: found ${oneOf('Power Button', 'AT Translated Set 2 keyboard', 'PC Speaker')} at /devices/${words('virtual platform LNXSYSTM:00')}/input/input${int(0, 12)}`,
    rare`rtc_cmos 00:0${int(0, 4)}: clock read as ${day}T${clock} UTC (${rising(1_714_000_000, 43)})`,
    rare`profiler: interrupts are slow (${int(2500, 9000)} > ${int(2500, 9000)}), sampling at ${oneOf('79750', '50000', '25000')}`,
    rare`flow table is full, packet dropped`,
    rare`tcp: many half-open connections on port ${oneOf('80', '443', '25')}. Answering with cookies.`,
    rare`${unit}: Process left, how=${words('exited killed dumped')}, status=${oneOf('1/FAILURE', '9/KILL', '203/EXEC', '143/n/a')}`,
    rare`${unit}: Unit failed, result '${words('exit-code timeout signal core-dump')}'.`,
    rare`${unit}: Will be restarted, attempt ${int(1, 90)}.`,
    rare`${unit}: Restarted too often, giving up.`,
    rare`Could not start ${described}.`,
    rare`Needs of ${described} are not met.`,
    rare`Milestone passed: ${oneOf('Network', 'Multi-User System', 'Local File Systems', 'Timers', 'Basic System')}.`,
    rare`Mounted ${oneOf('/boot', 'Huge Pages File System', '/srv/data', 'Kernel Debug File System')}.`,
    rare`Unmounted ${oneOf('/boot', '/srv/data', '/run/user/1000')}.`,
    rare`Reading configuration again.`,
    rare`System goes down.`,
    rare`Journal started, using ${decimal(4, 90, 1)}M, max ${decimal(90, 900, 1)}M, ${decimal(90, 900, 1)}M free.`,
    rare`${amount(1, 900)} kernel messages were lost`,
    rare`Held back ${amount(10, 9000)} messages of ${unit}`,
    rare`Waiting for logins on ${oneOf('0.0.0.0', '::')} port 22.`,
    rare`Got signal 15; leaving.`,
    rare`Peer ${publicIp} port ${port} sent no banner`,
    rare`Peer ${publicIp} port ${port} has no ${words('cipher MAC')} in common with us, offered ${someOf(1, 3, 'aes128-cbc 3des-cbc hmac-sha1 hmac-md5', ',')} [early]`,
    rare`name host${int(1, 255)}.${domain} does not lead back to [${publicIp}]`,
    rare`${person} at ${words('pts/0 pts/3 unknown')} in /home/${person} ran as root: ${oneOf('/usr/bin/apt update', '/bin/bash', '/usr/sbin/service nginx restart')}`,
    rare`${person} at ${words('pts/0 pts/3')} may not become root, refused`,
    rare`account made: name=${user}, UID=${int(1000, 1100)}, GID=${int(1000, 1100)}, home=/home/${user}, shell=/bin/${words('bash sh false')}`,
    rare`group made: name=${user}, GID=${int(1000, 1100)}`,
    rare`password of ${user} was changed`,
    rare`no more leases on ${nic}, last offered at ${shortDate}`,
    rare`possible break-in: ${remote} tried ${int(5, 60)} users, ${remote} is blocked for ${oneOf('600', '3600')} s`,
    rare`bonding: ${words('bond0 bond1')}: traffic moves to ${nic}`,
    rare`wpa: ${nic}: joining ${mac} (SSID='${oneOf('office', 'guest net', 'lab')}' freq=${oneOf('2437', '5180')} MHz)`,
    rare`watchdog: processor #${int(0, 31)} makes no progress for ${int(21, 90)}s! [${program}:${pid}]`,
    rare`EDAC MC${int(0, 1)}: ${int(1, 9)} corrected read errors in DIMM_${words('A1 B2 C1')} (channel:${int(0, 3)} slot:${int(0, 2)} page:0x${hex(6)} offset:0x${hex(3)})`,
    rare`ipmi: controller ignores receive interrupts, polling: ${flag}`,
    rare`microcode: now at 0x${hex(2)} of ${day}`,
    rare`microcode: signature 0x${hex(5)}, flags 0x${hex(1)}, was at 0x${hex(2)}`,
    rare`random: pool is filled`,
    rare`known hosts: ${privateIp} added`,
  ],
}
