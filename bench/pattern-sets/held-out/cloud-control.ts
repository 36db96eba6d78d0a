import { call, type ProgramLog, rare, text } from '../call.ts'
import {
  amount,
  decimal,
  either,
  few,
  flag,
  hex,
  int,
  list,
  mac,
  maybe,
  oneOf,
  privateIp,
  uuid,
  words,
} from '../values.ts'

const instance = few(60, uuid)
const tenant = few(6, hex(32))
const image = few(9, uuid)
const host = words('compute-1.rack4.cloud.example compute-2.rack4.cloud.example compute-7.rack5.cloud.example')
const resource = either(
  text`/v2/${tenant}/servers/detail`,
  text`/metadata/2013-10-17/${words('meta_data.json user_data vendor_data.json')}`,
  text`/v2/${tenant}/servers/${instance}`,
  text`/v2/${tenant}/servers`,
  text`/v2/${tenant}/flavors/${oneOf('1', '2', '42')}`,
  text`/v2/${tenant}/os-volumes?limit=${oneOf('100', '1000')}&marker=${uuid}`,
)
const state = words('ACTIVE BUILD SHUTOFF ERROR DELETED PAUSED')
const task = words('None spawning deleting powering-off rebooting networking')
const exception = oneOf(
  'No valid host was found. There are not enough hosts available.',
  'Timed out waiting for a reply to message ID 5f1f',
  'Unexpected API Error.',
  'Volume is in use',
  'Quota exceeded for cores: Requested 4, but already used 18 of 20 cores',
)

export const cloudControl: ProgramLog = {
  name: 'cloud-control',
  heldOut: true,
  calls: [
    call(
      480,
    )`${privateIp}${maybe(0.3, text`,${privateIp}`)} "${words('GET POST DELETE PUT')} ${resource} HTTP/1.1" status: ${oneOf('200', '202', '204', '404', '409')} len: ${int(200, 2200)} time: ${decimal(0.01, 3, 7)}`,
    call(70)`[instance: ${instance}] Lifecycle event: VM ${words('Started Paused Stopped Resumed')}`,
    call(60)`[instance: ${instance}] Power state not compared, a task is pending (${task}).`,
    call(50)`Base file still needed: /var/lib/compute/instances/_base/${hex(40)}`,
    call(50)`image ${image} at (/var/lib/compute/instances/_base/${hex(40)}): looking for users`,
    call(
      50,
    )`image ${image} at (/var/lib/compute/instances/_base/${hex(40)}): used by ${int(0, 9)} here and ${int(0, 9)} on nodes with the same storage`,
    call(30)`Base file can go: /var/lib/compute/instances/_base/${hex(40)}`,
    call(30)`Base file is too young to go: /var/lib/compute/instances/_base/${hex(40)}`,
    call(36)`Auditing resources of this node ${host}`,
    call(36)`Totals: usable vcpus: ${int(8, 64)}, allocated vcpus: ${int(0, 64)}`,
    call(
      36,
    )`Resources now: name=${host} ram_total=${int(16_000, 128_000)}MB ram_used=${int(512, 64_000)}MB disk_total=${int(15, 900)}GB disk_used=${int(0, 400)}GB vcpus_total=${int(8, 64)} vcpus_used=${int(0, 64)} devices=[${list(0, 2, text`'gpu-${int(0, 3)}'`)}]`,
    call(
      34,
    )`[instance: ${instance}] Claim of memory ${int(512, 16_384)} MB, disk ${int(1, 160)} GB, vcpus ${int(1, 8)} CPU`,
    call(33)`[instance: ${instance}] Claim accepted`,
    call(20)`[instance: ${instance}] Total memory: ${int(16_000, 128_000)} MB, used: ${decimal(512, 64_000, 2)} MB`,
    call(
      20,
    )`[instance: ${instance}] memory limit: ${decimal(16_000, 96_000, 2)} MB, free: ${decimal(512, 64_000, 2)} MB`,
    call(20)`[instance: ${instance}] no disk limit given, taking unlimited`,
    call(20)`[instance: ${instance}] no vcpu limit given, taking unlimited`,
    call(30)`[instance: ${instance}] Image is being created`,
    call(24)`[instance: ${instance}] Spawning on the hypervisor took ${decimal(15, 40, 2)} seconds.`,
    call(22)`[instance: ${instance}] Building took ${decimal(15, 40, 2)} seconds.`,
    call(22)`[instance: ${instance}] Destroying took ${decimal(0.3, 3, 2)} seconds.`,
    call(18)`[instance: ${instance}] Removing files /var/lib/compute/instances/${instance}_del`,
    call(18)`[instance: ${instance}] Removal of /var/lib/compute/instances/${instance}_del complete`,
    call(22)`Event network-vif-${words('plugged unplugged')}:${uuid} created for instance ${instance}`,
    call(12)`[instance: ${instance}] state changed from ${state}/${task} to ${state}/${task}`,
    call(10)`Allocation ratio of ${host}: cpu ${decimal(1, 16, 1)}, ram ${decimal(1, 2, 1)}`,
    rare`[instance: ${instance}] Found stopped though nobody asked, stopping properly. task: ${task}, original power state: ${int(0, 4)}, current: ${int(0, 4)}`,
    rare`[instance: ${instance}] Attempting rebuild on ${host}, evacuated: ${flag}`,
    rare`[instance: ${instance}] Live migration to ${host}: ${int(1, 100)}% done, ${int(0, 9000)} MB left`,
    rare`[instance: ${instance}] Attaching volume ${uuid} to /dev/vd${words('b c d')}`,
    rare`[instance: ${instance}] Detaching volume ${uuid} from /dev/vd${words('b c d')}`,
    rare`[instance: ${instance}] Failed to build: ${exception}`,
    rare`[instance: ${instance}] Failed to allocate network(s): ${exception}`,
    rare`[instance: ${instance}] Failed to deallocate network(s): ${exception}`,
    rare`Request ends with an error: ${exception}`,
    rare`Scheduler filter ${words('RamFilter ComputeFilter DiskFilter ImagePropertiesFilter')} returned ${oneOf('0', '1', '3')} hosts`,
    rare`Instances of host '${host}' agree with the scheduler.`,
    rare`Instances of host '${host}' differ from the scheduler. List made anew.`,
    rare`Port ${uuid} (mac ${mac}) bound on ${host} with driver ${words('openvswitch linuxbridge ovn')}`,
    rare`Security group ${oneOf('default', 'web', 'ssh-only')} of tenant ${tenant} refreshed, ${int(0, 40)} rules for ipv4, ${int(0, 40)} for ipv6`,
    rare`DHCP agent scheduled network ${uuid} on ${host}`,
    rare`Floating IP ${privateIp} associated with port ${uuid}`,
    rare`Floating IP ${privateIp} disassociated from port ${uuid}`,
    rare`Token of ${words('admin nova demo svc-backup')} revoked, ${int(0, 9)} sessions closed`,
    rare`Loaded extension ${words('os-volumes flavor-access keypairs server-groups')}, version ${oneOf('1', '2')}`,
    rare`(${int(2000, 30_000)}) api worker left, accepting=${words('True False')}`,
    rare`(${int(2000, 30_000)}) api worker listens on http://0.0.0.0:${oneOf('8774', '8775', '9696')}`,
    rare`Connection to messaging host ${privateIp}:5672 lost: ${oneOf('[Errno 104] Connection reset by peer', 'timed out', 'Socket closed')}. Trying again in ${oneOf('1', '2', '4')} seconds.`,
    rare`Reconnected to messaging host ${privateIp}:5672`,
    rare`Service ${words('conductor scheduler compute consoleauth')} on ${host} is ${words('up down')}`,
    rare`Cell ${oneOf('cell0', 'cell1')} has ${amount(1, 400)} instances in ${int(1, 20)} projects`,
    rare`Purged ${amount(1, 9000)} rows of ${words('instances actions faults')} older than ${oneOf('30', '90')} days`,
    rare`Console of ${instance} requested, type ${words('novnc spice serial')}, token ${uuid}`,
  ],
}
