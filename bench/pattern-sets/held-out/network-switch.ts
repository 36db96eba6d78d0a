import { call, type ProgramLog, rare, text } from '../call.ts'
import {
  amount,
  decimal,
  either,
  hex,
  int,
  list,
  mac,
  maybe,
  oneOf,
  padded,
  person,
  privateIp,
  publicIp,
  rising,
  shortDate,
  someOf,
  upper,
  words,
} from '../values.ts'

const port = text`${words('Gi Te Fo')}${int(1, 2)}/0/${int(1, 48)}`
const longPort = either(
  text`GigabitEthernet${int(1, 2)}/0/${int(1, 48)}`,
  text`TenGigabitEthernet${int(1, 2)}/1/${int(1, 4)}`,
  text`Vlan${int(1, 400)}`,
  text`Port-channel${int(1, 12)}`,
)
const vlan = int(1, 400)
const station = mac
const neighbour = words(
  'core-a core-b dist-north dist-south edge-lobby edge-lab-w edge-annex fw-outer fw-inner wlc-main ap-canteen ap-hall ap-library ap-court ap-roof ap-gym',
)
const ssid = words('campus eduroam guest iot staff-legacy')
const policy = words('permit-mgmt block-quarantine students servers printers cameras voice guests lab-nets')
const line = words('console vty0 vty1')

export const networkSwitch: ProgramLog = {
  name: 'network-switch',
  heldOut: true,
  calls: [
    call(240)`%LINK-3-UPDOWN: Interface ${longPort}, changed state to ${words('up down')}`,
    call(230)`%LINEPROTO-5-UPDOWN: Line protocol on Interface ${longPort}, changed state to ${words('up down')}`,
    call(
      150,
    )`%DOT1X-5-SUCCESS: Authentication successful for client (${station}) on Interface ${port} AuditSessionID ${upper(hex(24))}`,
    call(
      60,
    )`%DOT1X-5-FAIL: Authentication failed for client (${station}) on Interface ${port} AuditSessionID ${upper(hex(24))}`,
    call(
      90,
    )`%MAB-5-SUCCESS: Authentication successful for client (${station}) on Interface ${port} AuditSessionID ${upper(hex(24))}`,
    call(
      110,
    )`%SW_MATM-4-MACFLAP_NOTIF: Host ${station} in vlan ${vlan} is flapping between port ${port} and port ${port}`,
    call(
      120,
    )`%CDP-4-NATIVE_VLAN_MISMATCH: Native VLAN mismatch discovered on ${longPort} (${vlan}), with ${neighbour} ${longPort} (${vlan}).`,
    call(
      100,
    )`%SEC-6-IPACCESSLOGP: list ${policy} ${words('permitted denied')} ${words('tcp udp')} ${privateIp}(${int(1024, 65_000)}) -> ${publicIp}(${int(20, 9000)}), ${int(1, 60)} packet${oneOf('s', '')}`,
    call(70)`%ILPOWER-5-POWER_GRANTED: Interface ${port}: Power granted`,
    call(60)`%ILPOWER-5-IEEE_DISCONNECT: Interface ${port}: PD removed`,
    call(
      40,
    )`%OSPF-5-ADJCHG: Process ${int(1, 3)}, Nbr ${privateIp} on ${longPort} from ${words('LOADING FULL')} to ${words('FULL DOWN')}, ${oneOf('Loading Done', 'Neighbor Down: Dead timer expired', 'Neighbor Down: Interface down or detached')}`,
    call(
      40,
    )`station ${station} associated with ${ssid} on ${neighbour} radio ${int(0, 1)} channel ${int(1, 165)}, rssi ${int(-90, -40)}`,
    call(
      34,
    )`station ${station} left ${neighbour} radio ${int(0, 1)}, reason ${int(1, 45)} (${oneOf('deauthenticated', 'inactivity', 'roamed')})`,
    call(
      30,
    )`%SYS-5-CONFIG_I: Configured from ${line} by ${person}${maybe(0.7, text` on vty${int(0, 4)} (${privateIp})`)}`,
    call(
      24,
    )`%SEC_LOGIN-5-LOGIN_SUCCESS: Login Success [user: ${person}] [Source: ${privateIp}] [localport: 22] at ${shortDate}`,
    call(
      20,
    )`%SSH-5-SSH2_USERAUTH: User '${person}' authentication for SSH2 Session from ${privateIp} (tty = ${int(0, 4)}) using crypto cipher '${words('aes256-ctr aes128-gcm')}', hmac 'hmac-sha2-256' ${words('Succeeded Failed')}`,
    call(
      16,
    )`lease of ${privateIp} for ${station} (${either(text`LAPTOP-${upper(hex(6))}`, text`iPhone`, text`${person}-mbp`, text`printer-${int(1, 90)}`)}) via ${longPort} renewed for ${oneOf('3600', '86400')} s`,
    rare`%SPANTREE-2-ROOTGUARD_BLOCK: Root guard blocking port ${longPort} on VLAN${padded(4, int(1, 400))}.`,
    rare`%SPANTREE-2-ROOTGUARD_UNBLOCK: Root guard unblocking port ${longPort} on VLAN${padded(4, int(1, 400))}.`,
    rare`%SPANTREE-5-TOPOTRAP: Topology Change Trap for vlan ${vlan}`,
    rare`%PM-4-ERR_DISABLE: ${words('bpduguard loopback udld security-violation')} error detected on ${port}, putting ${port} in err-disable state`,
    rare`%PM-4-ERR_RECOVER: Attempting to recover from ${words('bpduguard loopback udld security-violation')} err-disable state on ${port}`,
    rare`%ENVMON-4-FAN_FAILED: Fan ${int(1, 4)} not rotating`,
    rare`%ENVMON-6-FAN_OK: Fan ${int(1, 4)} is normal`,
    rare`%PLATFORM_THERMAL-1-OVERTEMP: inlet temperature is ${int(46, 80)} C, limit 56 C`,
    rare`%STACKMGR-4-SWITCH_ADDED: Switch ${int(1, 4)} has been ADDED to the stack`,
    rare`%STACKMGR-4-SWITCH_REMOVED: Switch ${int(1, 4)} has been REMOVED from the stack`,
    rare`%SYS-5-RESTART: System restarted after ${oneOf('reload', 'power failure', 'watchdog')}`,
    rare`%SYS-3-CPUHOG: Task is running for (${int(2000, 9000)})msecs, more than (2000)msecs (${int(1, 90)}/${int(1, 9)}), process = ${oneOf('SNMP ENGINE', 'Hulc LED Process', 'Spanning Tree', 'IP Input', 'CEF: IPv4 process', 'ARP Input', 'HTTP CORE')}.`,
    rare`%BGP-5-ADJCHANGE: neighbor ${publicIp} ${words('Up Down')} ${maybe(0.5, oneOf('BGP Notification sent', 'Peer closed the session', 'Interface flap'))}`,
    rare`%BGP-4-MAXPFX: Number of prefixes received from ${publicIp} (afi 0) reaches ${int(700, 990)}, max 1000`,
    rare`%NTP-6-PEERREACH: Peer ${privateIp} is ${words('reachable unreachable')}`,
    rare`%SNMP-3-AUTHFAIL: Authentication failure for SNMP req from host ${privateIp}`,
    rare`%TRANSCEIVER-3-NOT_COMPATIBLE: Detected for transceiver module in ${longPort}, module ${words('disabled ignored')}`,
    rare`optics on ${longPort}: rx power ${decimal(-30, -1, 1)} dBm below low ${words('alarm warning')} threshold`,
    rare`access point ${neighbour} joined, model ${words('AP-515 AP-505H AP-303')}, image ${int(8, 10)}.${int(0, 12)}.${int(0, 3)}`,
    rare`access point ${neighbour} lost, last heard ${int(30, 900)} s ago`,
    rare`rogue access point ${mac} with name "${oneOf('FreeWifi', 'HP-Print-4C', 'AndroidAP', 'linksys', 'NETGEAR-5G', "Tom's phone", 'DIRECT-xy')}" seen by ${neighbour} on channel ${int(1, 165)}`,
    rare`radius server ${privateIp}:1812 is ${words('dead alive')}`,
    rare`acl ${policy} reprogrammed, ${int(4, 400)} entries, hardware use ${int(3, 99)}%`,
    rare`allowed vlans of ${longPort} changed to ${list(1, 5, vlan, ',')}`,
    rare`features licensed: ${someOf(1, 3, 'network-advantage dna-essentials security')}`,
    rare`running config saved by ${person}, checksum ${hex(8)}, ${rising(44_000, 0.1)} bytes`,
    rare`queue ${words('voice video bulk')} of ${longPort} dropped ${amount(10, 900_000)} packets in 300 s`,
  ],
}
