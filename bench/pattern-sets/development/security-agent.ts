import { call, type ProgramLog, rare, text } from '../call.ts'
import {
  amount,
  decimal,
  domain,
  either,
  email,
  hex,
  int,
  list,
  maybe,
  oneOf,
  person,
  port,
  privateIp,
  publicIp,
  rising,
  upper,
  words,
} from '../values.ts'

const guess = words(
  'admin root test oracle user guest ubuntu ftp mysql pi support webmaster tomcat zabbix minecraft teamspeak jenkins hadoop www administrator info student temp steam vnc sysadmin nagios svn backup dev',
)
const account = either(person, guess)
const workstation = words('WS-0412 LAPTOP-ANNA srv-files DC01 kiosk mailhost build7')
const process = words('powershell.exe cmd.exe winword.exe bash python3 sshd curl rundll32.exe')
const rule = oneOf(
  'Suspicious PowerShell download',
  'SSH brute force',
  'New local administrator',
  'Credential dumping',
  'port_scan',
  'DNS tunnel',
  'Ransomware canary touched',
)
const file = oneOf(
  '/etc/passwd',
  '/usr/bin/ssh',
  'C:\\Users\\Anna\\Downloads\\invoice.exe',
  '/etc/cron.d/update',
  'C:\\Program Files\\App\\app.dll',
  '/tmp/.x',
)
const severity = words('low medium high critical')
const family = words('Trojan.Generic Adware.Toolbar Eicar-Test Miner.XMR Worm.Autorun')
const country = words('NL CN US BR RU VN DE')

export const securityAgent: ProgramLog = {
  name: 'security-agent',
  heldOut: false,
  calls: [
    call(260)`Failed login of ${account} from ${publicIp}:${port} on ${workstation}`,
    call(150)`Successful login of ${person} from ${privateIp}:${port} on ${workstation}`,
    call(110)`Unknown user ${guess} from ${publicIp}`,
    call(
      90,
    )`login failure; tty=ssh ruser=${maybe(0.2, guess)} rhost=${either(publicIp, text`host-${int(1, 255)}.${domain}`)} user=${maybe(0.6, account)}`,
    call(
      110,
    )`process start pid=${int(900, 30_000)} ppid=${int(1, 30_000)} user=${account} image=${process} sha256=${hex(64)} cmd="${oneOf('cmd /c whoami', 'python3 -m http.server', '', 'curl -s https://example.com/a.sh', 'powershell -nop -w hidden', 'sshd: anna [priv]')}"`,
    call(
      140,
    )`process exit pid=${int(900, 30_000)} user=${account} image=${process} code=${oneOf('0', '1', '-1073741819', '130')}`,
    call(
      120,
    )`network ${words('allow deny')} ${words('tcp udp icmp')} ${privateIp}:${port} > ${publicIp}:${oneOf('443', '53', '80', '22')} process=${process} rule=${words('default-out block-tor servers guest_wifi')}`,
    call(60)`file ${words('modified created deleted renamed')}: ${file} by ${account} (${process})`,
    call(60)`Rule "${rule}" matched on ${workstation}: severity=${severity} score=${int(1, 100)}`,
    call(
      50,
    )`dns query ${words('cdn update a8f3k2 mail www')}.${domain} type=${words('A AAAA TXT MX')} from ${privateIp} answer=${maybe(0.8, list(1, 3, publicIp, ','))}`,
    call(
      36,
    )`Address ${publicIp} (${country}) banned for ${oneOf('600', '3600', '86400')} seconds, jail ${words('sshd nginx-auth postfix recidive')}`,
    call(30)`Address ${publicIp} (${country}) unbanned, jail ${words('sshd nginx-auth postfix recidive')}`,
    call(26)`Scan of ${file} finished: clean`,
    call(16)`Scan of ${file} finished: infected with ${family}`,
    call(14)`Heartbeat to ${words('manager1 manager2 siem.example.com')} ok, ${int(0, 900)} events queued`,
    call(
      12,
    )`Group ${oneOf('Domain Admins', 'sudo', 'Remote Desktop Users', 'docker')} changed by ${person}: member ${account} ${words('added removed')}`,
    rare`Heartbeat to ${words('manager1 manager2 siem.example.com')} failed: ${oneOf('connection refused', 'certificate verify failed', 'timed out')}`,
    rare`Quarantined ${file} as ${upper(hex(12))}`,
    rare`Could not quarantine ${file}: ${oneOf('access denied', 'file in use', 'no such file')}`,
    rare`Could not restore ${file}: ${oneOf('access denied', 'file in use', 'no such file')}`,
    rare`Restored ${file} from quarantine by ${person}`,
    rare`Signatures updated from ${int(26_000, 27_000)} to ${int(26_000, 27_000)}`,
    rare`Signatures are ${int(2, 30)} days old`,
    rare`Policy ${oneOf('default', 'Servers', 'Kiosk mode', 'strict')} applied, version ${int(1, 90)}`,
    rare`Policy ${oneOf('default', 'Servers', 'Kiosk mode', 'strict')} rejected: ${oneOf('bad signature', 'unknown section "dlp"', 'older than the current one')}`,
    rare`Account ${account} locked after ${oneOf('5', '10')} failures`,
    rare`Account ${account} unlocked by ${person}`,
    rare`Account ${account} created by ${person}`,
    rare`Password of ${account} changed by ${person}`,
    rare`Password of ${account} expires in ${int(1, 14)} days`,
    rare`Ticket for ${account}@EXAMPLE.COM refused: ${oneOf('clock skew too great', 'pre-authentication failed', 'client not found')}`,
    rare`${person} ran ${oneOf('/usr/bin/systemctl restart nginx', '/bin/sh', '/usr/bin/vim /etc/hosts')} as root`,
    rare`${person} was not allowed to run ${oneOf('/usr/bin/passwd root', '/bin/sh', '/usr/sbin/visudo')} as root`,
    rare`USB storage ${oneOf('SanDisk Ultra', 'Kingston DT', 'WD Passport 25E2')} serial ${upper(hex(12))} blocked on ${workstation}`,
    rare`USB storage ${oneOf('SanDisk Ultra', 'Kingston DT', 'WD Passport 25E2')} serial ${upper(hex(12))} allowed on ${workstation}`,
    rare`Kernel module ${words('vboxdrv wireguard rk_hide nvidia')} loaded, signed=${words('yes no')}`,
    rare`Kernel module ${words('vboxdrv wireguard rk_hide nvidia')} unloaded`,
    rare`Vulnerability CVE-${int(2019, 2025)}-${int(1000, 49_999)} in ${words('openssl log4j sudo curl')} ${int(0, 9)}.${int(0, 20)} on ${workstation}: cvss ${decimal(2, 10, 1)}`,
    rare`Baseline of ${workstation}: ${int(40, 200)} passed, ${int(0, 40)} failed, ${int(0, 9)} not applicable`,
    rare`Port scan from ${publicIp}: ${int(10, 9000)} ports in ${int(1, 90)} s`,
    rare`ARP of ${privateIp} moved from ${list(6, 6, hex(2), ':')} to ${list(6, 6, hex(2), ':')}`,
    rare`Mail to ${email} held: attachment ${words('invoice.zip scan.iso report macro.docm')}`,
    rare`VPN login of ${person} from unusual country ${country}`,
    rare`Impossible travel of ${person}: ${country} and ${country} within ${int(5, 90)} min`,
    rare`Agent ${int(4, 5)}.${int(0, 9)}.${int(0, 9)} started on ${workstation} (id ${int(100, 999)})`,
    rare`Agent stopped by ${words('user system upgrade')}`,
    rare`Agent upgrade to ${int(4, 5)}.${int(0, 9)}.${int(0, 9)} failed at step 3 of 3: ${oneOf('checksum', 'service did not come back', 'disk full')}`,
    rare`Event buffer at ${int(50, 100)}%, ${amount(1, 9000)} events dropped`,
    rare`Audit log sealed, hash chain at ${rising(1000, 0.2)}`,
    rare`Audit log broken between ${rising(1000, 0.2)} and ${rising(1001, 0.2)}`,
    rare`Integrity check of ${words('/etc /usr/bin /boot')} done in ${decimal(1, 90, 1)} s, ${int(0, 9)} changes`,
    rare`Decoy ${words('share-finance db-backup admin-portal')} touched by ${account} from ${privateIp}`,
  ],
}
