import { call, type ProgramLog, rare, text } from '../call.ts'
import { clock, day, decimal, either, hex, int, maybe, oneOf, padded, rising, upper, uuid, words } from '../values.ts'

const kb = text`KB${int(4_000_000, 5_100_000)}`
const component = words(
  'Foundation NetFx WindowsSearch Printing RemoteDesktop Defender MediaPlayer InternetExplorer Hyper-V Bitlocker Notepad Fonts',
)
const pkg = text`Package_for_${kb}~31bf3856ad364e35~amd64~~${int(6, 10)}.${int(0, 3)}.${int(1, 9)}.${int(0, 9)}`
const featurePkg = text`Microsoft-Windows-${component}-Package~31bf3856ad364e35~amd64~${words('en-US de-DE fr-FR ja-JP')}~10.0.${int(10_000, 22_000)}.1`
const session = text`${int(30_000_000, 31_000_000)}_${int(1, 4_000_000_000)}`
const client = words('WindowsUpdateAgent SPP DISM TrustedInstaller')
const code = either(
  text`0x8024${hex(4)}`,
  text`0x800f080d - CBS_E_MANIFEST_INVALID_ITEM`,
  text`0x80070005 - E_ACCESSDENIED`,
  text`0x00000000 - S_OK`,
)
const file = text`C:\\Windows\\${words('WinSxS Servicing System32 Temp')}\\${component}\\${hex(8)}.${words('dll manifest cat mum sys')}`
const state = words('Absent Staged Installed Superseded')

/** An installer of updates on a desktop system. */
export const updateInstaller: ProgramLog = {
  name: 'update-installer',
  heldOut: false,
  calls: [
    call(
      320,
    )`Read out cached package applicability for package: ${either(pkg, featurePkg)}, ApplicableState: ${int(0, 112)}, CurrentState: ${int(0, 112)}`,
    call(150)`Session: ${session} initialized by client ${client}.`,
    call(140)`Exec: Processing started. Session: ${session}, Client: ${client}, Package: ${pkg}`,
    call(90)`Appl: Evaluating package applicability for package ${featurePkg}, applicable state: ${state}`,
    call(
      80,
    )`Plan: Package: ${pkg}, current: ${state}, pending: Default, start: ${state}, applicable: ${state}, targeted: ${state}, limit: ${state}`,
    call(90)`Failed to ${words('open load parse')} ${file} [HRESULT = ${code}]`,
    call(100)`Warning: Unrecognized ${words('packageExtended customInformation')} attribute.`,
    call(70)`Expecting attribute name [HRESULT = ${code}]`,
    call(
      60,
    )`00000${hex(3)} CSI Transaction @0x${hex(8)} ${words('initialized destroyed')} for deployment engine {${uuid}} with flags 0000000${int(0, 4)} and client id [${int(1, 40)}]"TI${int(1, 9)}.${session}:${int(1, 9)}/"`,
    call(
      50,
    )`Startup: ${oneOf('Changing logon timeout to a static timeout', 'Package and poqexec completed', 'Primitive installers committed')}`,
    call(
      50,
    )`Agent * Title = ${oneOf('Security Update for Word', 'Definition Update', 'Cumulative Update Preview', 'Servicing Stack Update', 'Malicious Software Removal Tool', 'Feature update', 'Intel driver')} (${kb})`,
    call(40)`Agent * Bundles ${int(1, 9)} updates: ${hex(8)}-${hex(4)}`,
    call(40)`Download of ${kb} ${int(0, 100)}% complete, ${decimal(0.1, 90, 2)} MB/s, peers ${int(0, 40)}`,
    call(
      36,
    )`Service ${words('wuauserv BITS CryptSvc TrustedInstaller msiserver UsoSvc')} state ${words('SERVICE_RUNNING SERVICE_STOPPED')} -> ${words('SERVICE_RUNNING SERVICE_STOPPED')}`,
    call(30)`Idle processing thread terminated normally`,
    call(30)`Ending ${client} finalization.`,
    call(28)`Starting ${client} finalization.`,
    rare`Reboot mark ${words('set cleared')}`,
    rare`Scavenge: ${words('Starts Completes')}, disposition: ${padded(8, hex(2))}`,
    rare`SQM: Failed to start upload with file pattern: ${file}, flags: 0x${hex(1)} [HRESULT = ${code}]`,
    rare`SQM: Cleaning up report files older than ${int(5, 30)} days.`,
    rare`Loaded Servicing Stack v${int(6, 10)}.${int(0, 3)}.${int(7000, 22_000)}.1 with Core: ${file}`,
    rare`Restore point "${oneOf('Before update', 'Windows Modules Installer', 'Driver install', 'Manual', 'Scheduled Checkpoint', 'Office setup')}" created, sequence ${rising(10, 0.01)}`,
    rare`User ${words('anna SYSTEM admin')} deferred the restart until ${day} ${clock}`,
    rare`Disk space check: ${decimal(1, 90, 1)} GB free, ${decimal(1, 20, 1)} GB needed${maybe(0.3, text`, cleaning up first`)}`,
    rare`Driver ${words('netwtw08.inf oem12.inf iaStorAC.inf usbvideo.inf bth.inf hdaudio.inf')} ranked 0x${upper(hex(8))} for device ${words('PCI USB HID')}\\VEN_${upper(hex(4))}`,
    rare`Policy ${words('DeferUpgrade NoAutoReboot ActiveHours UseWUServer TargetGroup AUOptions')} = ${int(0, 23)}`,
    rare`Repair of ${component} ${words('succeeded failed')} after ${int(1, 3)} tries`,
  ],
}
