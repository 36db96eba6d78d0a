import { call, type ProgramLog, rare, text } from '../call.ts'
import {
  amount,
  clock,
  day,
  decimal,
  either,
  flag,
  hex,
  int,
  list,
  maybe,
  oneOf,
  person,
  privateIp,
  rising,
  uuid,
  words,
} from '../values.ts'

const machine = words(
  'fileserver01 sql-prod sql-test exchange dc-east dc-west hr-desktop-4 warehouse web-front web-back jira gitlab printsrv nas-archive kiosk-2 lab-pc12',
)
const plan = oneOf(
  'Daily servers',
  'Weekly full',
  'Mail',
  'Laptops',
  'Databases hourly',
  'Archive to tape',
  'Off-site copy',
  'test plan',
)
const base = words('report.docx budget.xlsx photo.jpg notes.txt dump.sql index.html backup.tar old.pst')
const folder = either(
  text`D:\\Shares\\${words('Finance HR Sales Legal Engineering')}\\${base}`,
  text`/home/${person}/${base}`,
  text`/srv/www/${base}`,
)
const snapshot = text`{${uuid}}`
const size = text`${decimal(1, 999, 2)} ${words('MB GB KB')}`
const store = words('vault-a vault-b s3-cold tape-lib')
const database = words('crm orders wiki payroll analytics sessions inventory tickets keycloak')
const writer = oneOf(
  'SqlServerWriter',
  'System Writer',
  'Registry Writer',
  'WMI Writer',
  'ASR Writer',
  'IIS Config Writer',
  'COM+ REGDB Writer',
)
const cause = oneOf(
  'The network path was not found',
  'Access is denied',
  'The process cannot access the file because it is being used by another process',
  'Insufficient system resources exist to complete the requested service',
)

export const backupAgent: ProgramLog = {
  name: 'backup-agent',
  heldOut: true,
  calls: [
    call(360)`Stored ${folder} (${size}, ${int(1, 90)} blocks, ${int(0, 90)} new)`,
    call(210)`Unchanged ${folder}`,
    call(160)`Skipped ${folder}: ${cause}`,
    call(120)`pack ${hex(16)} uploaded to ${store}, ${size} in ${decimal(0.1, 90, 1)} s`,
    call(90)`index ${hex(8)} merged: ${amount(100, 90_000)} entries`,
    call(80)`Task '${plan}' on ${machine}: ${int(0, 100)}% done, ${size} left, about ${int(1, 240)} min`,
    call(60)`Task '${plan}' started on ${machine} by ${oneOf('schedule', 'operator', 'event')}`,
    call(
      56,
    )`Task '${plan}' finished on ${machine} with ${words('success warnings errors')}: ${int(10, 90_000)} files, ${size}, ${clock}`,
    call(
      40,
    )`VSS writer '${writer}' state: [${int(1, 12)}] ${words('Stable Failed Waiting')}, last error: ${oneOf('No error', 'Timed out', 'Retryable error')}`,
    call(36)`Snapshot ${snapshot} of volume ${words('C: D: E:')} created`,
    call(34)`Snapshot ${snapshot} of volume ${words('C: D: E:')} released`,
    call(
      40,
    )`retention: keeping ${int(1, 90)} of ${int(1, 400)} points of ${machine}, removing ${list(1, 4, text`${day}T${clock}`)}`,
    call(30)`dedup ratio of ${store} is ${decimal(1, 9, 2)}, ${size} saved`,
    call(
      26,
    )`agent ${machine} (${privateIp}) heartbeat, version ${int(10, 12)}.${int(0, 9)}.${int(100, 9999)}, idle=${flag}`,
    call(24)`dump of database ${database} (${words('full differential log')}) written in ${int(1, 900)} s, ${size}`,
    call(20)`throttle ${words('on off')}: link ${words('wan lan')} at ${int(1, 100)}%`,
    rare`dump of database ${database} failed: ${oneOf('deadlock victim', 'permission denied', 'connection lost')}`,
    rare`agent ${machine} offline for ${int(2, 90)} min`,
    rare`agent ${machine} online again`,
    rare`agent ${machine} registered by ${person}, group ${words('servers desktops laptops')}`,
    rare`restore of ${folder} to ${machine} requested by ${person}`,
    rare`restore of ${folder} to ${machine} completed, ${size}`,
    rare`restore of ${folder} to ${machine} failed: ${cause}`,
    rare`mailbox ${person} exported, ${int(10, 90_000)} items, ${int(0, 9)} skipped`,
    rare`tape ${words('A00 B00 C00')}${int(100, 999)}L8 loaded in drive ${int(1, 4)}`,
    rare`tape ${words('A00 B00 C00')}${int(100, 999)}L8 ejected`,
    rare`drive ${int(1, 4)} needs cleaning`,
    rare`verification of pack ${hex(16)} on ${store}: ${words('ok damaged missing')}`,
    rare`verification finished, ${int(10, 9000)} packs, ${int(0, 4)} damaged, ${clock}`,
    rare`store ${store} is ${int(80, 100)}% full`,
    rare`store ${store} locked by ${machine} since ${day} ${clock}`,
    rare`store ${store} unlocked${maybe(0.4, text`, lock was ${int(1, 90)} h old`)}`,
    rare`credentials of ${store} expire in ${int(1, 30)} days`,
    rare`license: ${int(1, 90)} of ${int(90, 120)} machines used`,
    rare`plan '${plan}' changed by ${person}: ${words('schedule retention sources target')}`,
    rare`plan '${plan}' disabled by ${person}`,
    rare`plan '${plan}' has no successful run for ${int(2, 30)} days`,
    rare`report sent to ${person}@example.com, ${int(0, 40)} tasks, ${int(0, 9)} failures`,
    rare`encryption key ${hex(8)} rotated, ${int(10, 900)} packs to rewrite`,
    rare`bandwidth to ${store}: ${decimal(0.1, 900, 1)} Mbit/s, latency ${int(1, 200)} ms, retries ${rising(1, 0.01)}`,
    rare`service stopped by ${words('system user update')}`,
    rare`service started, ${int(1, 40)} plans, ${int(1, 90)} machines`,
  ],
}
