import { call, type ProgramLog, rare, text } from '../call.ts'
import {
  amount,
  decimal,
  either,
  hex,
  int,
  list,
  maybe,
  oneOf,
  padded,
  privateIp,
  rising,
  upper,
  words,
} from '../values.ts'

const node = either(
  text`node-${int(0, 255)}`,
  text`rack-D${int(0, 7)}`,
  text`io${int(0, 7)}`,
  words('head0 storage1 login'),
)
const range = text`node-[${list(1, 4, either(text`${int(0, 120)}-${int(121, 255)}`, int(0, 255)), ' ')}]`
const state = words('configured unconfigured running halted full failed starting')
const location = text`R${padded(2, int(0, 63))}-M${int(0, 1)}-N${int(0, 15)}-C:J${padded(2, int(0, 17))}-U${padded(2, int(1, 11))}`
const command = rising(1_900, 0.8)
const job = rising(48_000, 3)
const owner = words('alvarez chen dubois mgrid nwchem qmc01 rsmith tanaka')
const partition = words('batch debug gpu long R00-M0 interactive')
const fabric = text`Tree-${int(0, 3)}T${int(0, 3)}${int(0, 3)}:${int(0, 9)}0:${int(0, 3)}:${int(0, 15)}`
const register = text`0x${hex(8)}`
const disk = words('/scratch /home /local /opt/apps')
const boolean = words('true false')

export const clusterManager: ProgramLog = {
  name: 'cluster-manager',
  heldOut: false,
  calls: [
    call(
      420,
    )`state of part "${either(text`scsi-${int(0, 9)}`, node, words('gateway tserver domain'))}" is now ${state} (hw=${int(100, 5400)})`,
    call(230)`parity error in instruction store was corrected`,
    call(160)`writing image core.${rising(200, 4)}`,
    call(120)`${int(1, 900_000)} misaligned vector accesses in ${int(1, 64)} threads`,
    call(110)`inlet=${int(20, 45)} above limit on ${node}`,
    call(90)`supplies ( ${words('on off')} ${words('on off')} ) of ${node}`,
    call(80)`Fault on collective link ${fabric}`,
    call(60)`Reset on collective link ${fabric}`,
    call(56)`Good again: collective link ${fabric}`,
    call(70)`unmapped access to ${register}, pc=${register}, ${location}`,
    call(60)`iod: control stream gives no header (socket to ${privateIp}:${int(32_000, 65_000)})`,
    call(44)`iod: control stream takes no header (socket to ${privateIp}:${int(32_000, 65_000)})`,
    call(40)`boot (command ${command}) targets ${range}`,
    call(12)`boot (command ${command}) timed out on ${range}`,
    call(30)`wait (command ${command}) waiting for ${range} to reach ${state}`,
    call(
      26,
    )`halt (command ${command}) error: ${oneOf('no such partition', 'node is busy', 'timed out after 300 s', 'permission denied')}`,
    call(34)`ddr: ${int(1, 30)} symbol faults repaired on rank ${int(0, 3)}, symbol ${int(0, 34)}, bit ${int(0, 7)}`,
    call(26)`repaired sym ${int(0, 34)}, at 0x${hex(8)}, mask 0x${hex(2)}`,
    call(24)`job ${job} of ${owner} started on ${range} in partition ${partition}`,
    call(22)`job ${job} of ${owner} ended on ${range} with exit status ${oneOf('0', '1', '137', '-15')}`,
    call(18)`job ${job} of ${owner} cancelled by ${words('operator scheduler alvarez root')}`,
    call(
      16,
    )`node ${node} load ${decimal(0, 64, 2)} ${decimal(0, 64, 2)} ${decimal(0, 64, 2)}, ${amount(1, 400)} processes`,
    call(14)`fans ( ${list(3, 6, int(2000, 4600), ' ')} ) of ${node}`,
    call(12)`torus receiver ${words('x+ x- y+ y- z+ z-')} pipe faults (reg 0x${hex(4)}) repaired`,
    call(10)`torus sender ${words('x+ x- y+ y- z+ z-')} resends (reg 0x${hex(4)}) repaired`,
    rare`nets: node ${node} sees network ${privateIp} again through interface ${words('alt0 ee0 ee1 scip0')}`,
    rare`nets: node ${node} lost network ${privateIp} through interface ${words('alt0 ee0 ee1 scip0')}`,
    rare`PoolFs: panic in pool ${words('storage442 storage1 storage77')}`,
    rare`PoolFs: pool ${words('storage442 storage1 storage77')} is full`,
    rare`PoolFs: no server for ${disk}`,
    rare`PoolFs: server ${node} is back for ${disk}`,
    rare`Network mount of ${disk} on ${range} finished, ${int(0, 12)} failures`,
    rare`netboot by ${owner} for ${node}`,
    rare`${node} not responding to ping, ${int(1, 9)} of 9 tries`,
    rare`${node} responding to ping again`,
    rare`node card ${upper(hex(8))} works only in part`,
    rare`node card inventory: no ${words('U00 U01 U11')}, chip ${upper(hex(20))} in slot J${padded(2, int(1, 17))}`,
    rare`power module ${words('U58 U59 U60')} (serial ${upper(hex(10))}) does not answer`,
    rare`far too hot, powering off ${location}`,
    rare`temperature ${int(60, 95)} of ${location} above warning limit 55`,
    rare`fault report: fetch......................${oneOf('0', '1')}`,
    rare`fault report: store......................${oneOf('0', '1')}`,
    rare`fault report, state word: ${register}`,
    rare`fault report, cause word: ${register}`,
    rare`fault report, registers: ${list(4, 4, text`${int(0, 31)}:${hex(8)}`, ' ')}`,
    rare`kernel panic on ${location}: ${oneOf('torus did not come up', 'L3 is inconsistent', 'assertion failed')}`,
    rare`mailbox of ${location} full, ${int(2, 90)} messages dropped`,
    rare`license for ${words('fortran mpi-debug totalview')}: ${int(0, 32)} of 32 in use`,
    rare`license for ${words('fortran mpi-debug totalview')} expires in ${int(1, 30)} days`,
    rare`partition ${partition} is now ${words('UP DOWN DRAIN INACTIVE')}`,
    rare`node ${node} drained, reason: ${oneOf('disk errors', 'operator request', 'kill task failed', 'memory')}`,
    rare`node ${node} resumed`,
    rare`quota of ${owner} on ${disk} exceeded by ${decimal(0.1, 90, 1)} GB`,
    rare`fabric manager: ${int(1, 400)} ports active, ${int(0, 9)} down, sweep took ${decimal(0.1, 5, 2)} s`,
    rare`fabric manager: port ${int(1, 36)} of switch ${text`sw${int(1, 40)}`} is ${words('ACTIVE DOWN INIT')}`,
    rare`backup controller takes over, primary silent for ${int(10, 90)} s`,
    rare`primary controller is back, ${int(0, 40)} jobs recovered${maybe(0.3, text`, ${int(1, 4)} lost`)}`,
    rare`clock of ${node} is off by ${decimal(-9, 9, 3)} s`,
    rare`urgent interrupt (unit=0x${hex(1)} bit=0x${hex(2)}): look at ${words('torus tree')} wire ${words('x+ y- z+')}`,
    rare`prologue of job ${job} failed on ${node}: ${oneOf('exit 1', 'exit 127', 'timed out', '/scratch is not mounted')}`,
    rare`epilogue of job ${job} failed on ${node}: ${oneOf('exit 1', 'exit 127', 'timed out', '/scratch is not mounted')}`,
    rare`reservation ${words('maintenance course2025 weekly-bench')} on ${range} active: ${boolean}`,
  ],
}
