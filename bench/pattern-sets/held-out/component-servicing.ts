import { call, type ProgramLog, rare, text } from '../call.ts'
import {
  amount,
  clock,
  day,
  either,
  flag,
  hex,
  int,
  list,
  maybe,
  oneOf,
  padded,
  upper,
  uuid,
  words,
} from '../values.ts'

const version = text`${oneOf('6.1', '10.0', '6.3')}.${int(1, 3)}.${int(0, 23)}`
const build = text`10.0.${oneOf('19041', '22621', '17763')}.${int(1, 4000)}`
const kb = text`KB${int(2_400_000, 5_040_000)}`
const identity = either(
  text`Package_for_${kb}~31bf3856ad364e35~amd64~~${version}`,
  text`Package_${int(1, 320)}_for_${kb}~31bf3856ad364e35~amd64~~${version}`,
  text`Package_for_RollupFix~31bf3856ad364e35~amd64~~${build}`,
  text`Setup-${words('LanguagePack MediaPlayer Hypervisor')}-Package~31bf3856ad364e35~${words('amd64 x86')}~${words('en-US de-DE ja-JP')}~${build}`,
)
const session = text`${int(30_500_000, 30_700_000)}_${int(100_000_000, 4_200_000_000)}`
const code = oneOf(
  '0x800f080d - SVC_E_MANIFEST_INVALID_ITEM',
  '0x80070002 - ERROR_FILE_NOT_FOUND',
  '0x800f0805 - SVC_E_INVALID_PACKAGE',
  '0x80004005 - E_FAIL',
  '0x800f0922',
)
const ok = oneOf('0x00000000 - S_OK', '0x00000001 - S_FALSE')
const client = words('UpdateAgent SPP TrustedInstaller DISM lkg')
const state = oneOf('112', '0', '80', '101', '5')
const sequence = padded(8, hex(4))
const component = text`amd64_${words('netfx audio-core tcpip printing-spooler shell32')}_31bf3856ad364e35_${build}_none_${hex(16)}`
const feature = words('TelnetClient Printing-PDFServices MediaPlayback SMB1Protocol Hyper-V-All')

export const componentServicing: ProgramLog = {
  name: 'component-servicing',
  heldOut: true,
  calls: [
    call(
      330,
    )`Applicability of package taken from cache: ${identity}, ApplicableState: ${state}, CurrentState: ${state}`,
    call(190)`Session: ${session} opened by client ${client}.`,
    call(120)`${sequence} Began kernel transaction (no ${int(1, 300)}) status 0x00000000, handle @0x${hex(3)}`,
    call(110)`${sequence}@${day}:${clock}.${int(100, 999)} Store is up (phase 1), ${int(1, 30)} pending`,
    call(
      90,
    )`Plan: ${identity}, now: ${words('Installed Absent Staged Superseded')}, waiting: ${words('Default Installed')}, began: ${words('Installed Absent Staged')}, possible: ${words('Installed Absent Staged')}, wanted: ${words('Installed Absent')}, at most: Installed`,
    call(
      70,
    )`Rate: parent check, Package: ${identity}, Parent: Product-Foundation-Package~31bf3856ad364e35~amd64~~${build}, Verdict = ${words('Detect Staged')}, Version: ${words('EQ GT LT')}, Build: ${words('GE LT')}`,
    call(60)`Rate: package ${identity} gets applicable state: ${words('Installed Absent Staged')}`,
    call(40)`Warning: manifest has an attribute that this version does not know.`,
    call(36)`Attribute has no name [HRESULT = ${code}]`,
    call(34)`Cannot read on in manifest [HRESULT = ${code}]`,
    call(30)`Queue of ${int(1, 60)} operations; ${int(0, 40)} of them change something:`,
    call(
      26,
    )`  (${int(0, 59)}) ${words('Install Uninstall Pin Stage')} (${int(1, 9)}): bits: ${int(0, 20)} for: [${int(20, 130)}]"${identity}" by: ${words('Package Setup')}`,
    call(20)`Startup thread has ended as planned`,
    call(20)`Ending worker main loop.`,
    call(18)`Starting worker main loop.`,
    call(
      16,
    )`Servicing stack in use: v${build} with core: C:\\Windows\\servicing\\stack_${build}_none_${hex(16)}\\core.dll`,
    call(14)`Idle processing done after ${amount(1, 900)} ms, next at ${day} ${clock}`,
    call(14)`Hashing files of ${component}, ${int(1, 300)} files, sha256 matched: ${flag}`,
    call(12)`Reboot marks left: ${int(0, 3)}`,
    call(10)`Reboot mark cleared`,
    call(9)`Cleanup: nothing in the store is superseded, skipped.`,
    call(9)`Cleanup: done, disposition: 0X${oneOf('1', '0', '3')}`,
    rare`Cleanup: begins, flags: 0X${hex(2)}`,
    rare`Session: ${session} finished with reboot required = ${words('no yes')} [HRESULT = ${ok}]`,
    rare`Could not open package in store. [HRESULT = ${code}]`,
    rare`Could not close package in store. [HRESULT = ${code}]`,
    rare`Component not resolvable [${component}] in feature ${feature} [HRESULT = ${code}]`,
    rare`Could not create package in store. [HRESULT = ${code}]`,
    rare`Exec: Package: ${identity} has the wanted state already, current: ${words('Installed Absent')}, targeted: ${words('Installed Absent')}`,
    rare`Exec: Begin. Client: ${client}, Session(${words('Install Detect Mum')}): ${session}, package: ${identity}`,
    rare`Exec: End. Session: ${session}, package: ${identity} [HRESULT = ${either(ok, code)}]`,
    rare`Queue: Updates switched on for Package: ${identity}, feature ${feature}, ${oneOf('1', '2', '3')} of ${oneOf('3', '4')}`,
    rare`Could not find '${identity}' in repository, ${int(1, 4)} candidates${maybe(0.5, text`, best ${identity}`)}`,
    rare`Repair: ${int(0, 9)} missing payloads, ${int(0, 9)} repaired, ${int(0, 9)} unrepairable`,
    rare`No good copy of file [l:${int(10, 40)}]"${words('shell32.dll cmd.exe tcpip.sys utilman.exe')}" of ${component} in the store, hash differs`,
    rare`Repaired file \\SystemRoot\\WinSxS\\${component}\\\\"${words('shell32.dll cmd.exe tcpip.sys')}" from store`,
    rare`Lock: Taken: ${words('StoreLock SessionLock WatchdogLock')}, level: ${int(1, 30)}, total lock:${int(1, 12)}`,
    rare`Trusted installer shutdown, client ${client}, reason: ${words('idle service-stop system-shutdown')}`,
    rare`Disk space: ${int(4, 400)} GB free on C:, ${amount(1, 900)} MB needed`,
    rare`TI: Volatile key {${upper(uuid)}} kept for ${session}`,
    rare`Pending list: [${list(0, 4, kb)}]`,
    rare`Rollback of ${session} begins`,
    rare`Rollback of ${session} ends, ${int(1, 30)} steps undone`,
  ],
}
