import { call, type ProgramLog, rare, text } from '../call.ts'
import {
  amount,
  clock,
  day,
  decimal,
  either,
  hex,
  int,
  list,
  mac,
  maybe,
  oneOf,
  person,
  port,
  privateIp,
  publicIp,
  rising,
  words,
} from '../values.ts'

const unit = oneOf(
  'Daily apt download activities',
  'Rotate log files',
  'OpenBSD Secure Shell server',
  'Network Time Service',
  'Run anacron jobs',
  'Cleanup of Temporary Directories',
  'User Manager for UID 1000',
  'Message of the Day',
  'Bluetooth service',
  'Discard unused blocks',
)
const service = text`${words('apt-daily logrotate ssh chrony anacron systemd-tmpfiles-clean motd-news bluetooth fstrim cups nginx')}.${words('service timer')}`
const pkg = words(
  'libc-bin openssl vim-common tzdata python3-minimal libssl3 ca-certificates curl bash base-files systemd linux-image-generic udev coreutils less gzip',
)
const version = text`${int(1, 9)}.${int(0, 40)}-${int(1, 9)}ubuntu${int(1, 4)}`
const link = words('eth0 wlan0 docker0')
const server = either(
  text`${publicIp}`,
  words('ntp.ubuntu.com time.nist.gov ptbtime1.ptb.de clock.fmt.he.net LOCAL(0)'),
)
const command = oneOf(
  '/usr/bin/apt update',
  '/bin/systemctl restart nginx',
  '/usr/bin/tail -f /var/log/syslog',
  '/bin/su -',
  '/usr/sbin/reboot',
  '/usr/bin/docker ps',
  '/usr/bin/vim /etc/fstab',
)
const job = oneOf(
  'run-parts --report /etc/cron.hourly',
  '/usr/lib/sysstat/sa1 1 1',
  'command -v debian-sa1 > /dev/null && debian-sa1 1 1',
  '/opt/backup/nightly.sh',
  'test -x /usr/sbin/anacron || run-parts /etc/cron.daily',
  '/usr/bin/certbot -q renew',
)
const drive = words('sda sdb sdc nvme0n1')
const peer = words('alder birch cedar dogwood elm fir ginkgo hazel ivy juniper larch maple')

/** A Linux machine as its journal shows it. */
export const systemJournal: ProgramLog = {
  name: 'system-journal',
  heldOut: false,
  calls: [
    call(150)`(${words('root www-data anna')}) CMD (${job})`,
    call(
      140,
    )`pam_unix(cron:session): session ${words('opened closed')} for user ${words('root www-data anna')}${maybe(0.5, text` by (uid=0)`)}`,
    call(120)`Starting ${unit}...`,
    call(118)`Finished ${unit}.`,
    call(60)`Started ${unit}.`,
    call(50)`Stopped ${unit}.`,
    call(70)`${service}: Succeeded.`,
    call(
      30,
    )`${service}: Main process exited, code=${words('exited killed')}, status=${int(1, 15)}/${words('FAILURE TERM KILL')}`,
    call(20)`${service}: Consumed ${decimal(0.01, 90, 3)}s CPU time.`,
    call(100)`DHCPREQUEST of ${privateIp} on ${link} to ${privateIp} port 67`,
    call(98)`DHCPACK of ${privateIp} from ${privateIp}`,
    call(90)`synchronized to ${server}, stratum ${int(1, 4)}`,
    call(80)`Unpacking ${pkg} (${version}) over (${version}) ...`,
    call(78)`Setting up ${pkg} (${version}) ...`,
    call(40)`Selecting previously unselected package ${pkg}.`,
    call(
      60,
    )`connection from ${publicIp} (${maybe(0.7, text`${words('mail www cpe dsl')}-${int(1, 255)}.example.net`)}) at ${day} ${clock}`,
    call(
      70,
    )`authentication failure; logname=${maybe(0.1, person)} uid=0 euid=0 tty=ssh ruser=${maybe(0.2, person)} rhost=${either(publicIp, text`host${int(1, 99)}.example.org`)} ${maybe(0.4, text` user=${person}`)}`,
    call(50)`${person} : TTY=pts/${int(0, 9)} ; PWD=/home/${person} ; USER=root ; COMMAND=${command}`,
    call(40)`link ${link} is ${words('up down')}${maybe(0.4, text`, ${int(10, 1000)} Mbps full duplex`)}`,
    call(36)`[${decimal(1, 900_000, 6)}] ${drive}: rejecting I/O to offline device`,
    call(30)`lease of ${peer} renewed until ${day} ${clock}`,
    call(
      24,
    )`mounting ${peer}:/export/${words('home data media scratch projects backup')} on /mnt/${words('home data media scratch projects backup')}`,
    rare`audit: type=${int(1100, 1400)} audit(${decimal(1, 9000, 3)}:${rising(1, 1)}): pid=${int(1, 9000)} uid=0 auid=${int(1, 9000)} ses=${int(1, 90)} msg='op=${words('login PAM:accounting PAM:setcred')} acct="${person}" res=${words('success failed')}'`,
    rare`usb 1-${int(1, 9)}: new ${words('high-speed full-speed')} USB device number ${int(1, 90)} using xhci_hcd`,
    rare`usb 1-${int(1, 9)}: USB disconnect, device number ${int(1, 90)}`,
    rare`usb 1-${int(1, 9)}: Product: ${oneOf('USB Keyboard', 'Flash Disk', 'Optical Mouse', 'YubiKey', 'Webcam C920', 'Ultra', 'Logi Receiver')}`,
    rare`Out of memory: Killed process ${int(1, 9000)} (${words('java chrome node mysqld gnome-shell python3 ffmpeg')}) total-vm:${amount(1000, 900_000)}kB`,
    rare`EXT4-fs (${drive}${int(1, 3)}): mounted filesystem with ordered data mode. Opts: ${words('(null) errors=remount-ro')}`,
    rare`Device: /dev/${drive} [SAT], SMART Usage Attribute: ${int(1, 240)} Temperature_Celsius changed from ${int(30, 60)} to ${int(30, 60)}`,
    rare`New session ${int(1, 900)} of user ${person}.`,
    rare`Removed session ${int(1, 900)}.`,
    rare`Failed password for ${person} from ${publicIp} port ${port} ssh2`,
    rare`Accepted publickey for ${person} from ${publicIp} port ${port} ssh2: RSA SHA256:${hex(43)}`,
    rare`wlan0: associated with ${mac}`,
    rare`wlan0: deauthenticating from ${mac} by local choice (Reason: ${int(1, 9)}=${words('DEAUTH_LEAVING PREV_AUTH_NOT_VALID')})`,
    rare`resolver: using nameserver ${privateIp}#53 for domain ${words('corp.example lan home.arpa internal vpn.example lab.example')}`,
    rare`resolver: nameservers now ${list(1, 3, privateIp)}`,
    rare`kernel module ${words('nf_tables btusb nouveau zfs wireguard loop kvm_intel snd_hda_intel')} loaded`,
    rare`${words('cups bluetooth snapd')} plugin ready in ${int(1, 900)} ms`,
    rare`user ${person} added to group ${words('sudo docker audio plugdev video lpadmin dialout')}`,
  ],
}
