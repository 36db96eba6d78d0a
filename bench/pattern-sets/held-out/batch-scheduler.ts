import { call, type ProgramLog, rare, text } from '../call.ts'
import {
  amount,
  clock,
  day,
  decimal,
  domain,
  either,
  hex,
  int,
  list,
  maybe,
  moment,
  oneOf,
  padded,
  person,
  rising,
  someOf,
  uuid,
  words,
} from '../values.ts'

const job = words(
  'payroll nightly-export cleanup LOAD_CUSTOMERS invoice_run reindex ftp-pull monthly_close refresh-mv CALC_RISK sendreminders archive gl_posting',
)
const host = words('batch01 batch02 titan hercules etl-a etl-b mars')
const run = rising(55_000, 0.7)
const file = either(
  text`customers_${int(20_250_101, 20_251_231)}.csv`,
  text`payroll.dat`,
  text`GLEXPORT`,
  text`orders-${int(1, 90)}.xml.gz`,
  text`ready`,
  text`report ${words('March April')} 2025.xlsx`,
)
const folder = words('/data/in /data/out /mnt/exchange/bank /srv/archive')
const failure = oneOf(
  'ORA-01555: snapshot too old',
  'java.lang.NullPointerException',
  'No such file or directory',
  'java.sql.SQLTransientConnectionException: pool - Connection is not available, request timed out after 30000ms',
  'Permission denied (publickey)',
  'exit status 3',
)
const code = oneOf('0', '1', '3', '127', '-9')
const calendar = oneOf('workdays', 'month end', 'AT holidays', 'always')
const thread = either(text`scheduler-worker-${int(1, 8)}`, text`main`, text`pool-${int(1, 4)}-thread-${int(1, 20)}`)
const trigger = words('cron file event manual dependency')
const gcId = rising(0, 0.4)

export const batchScheduler: ProgramLog = {
  name: 'batch-scheduler',
  heldOut: true,
  calls: [
    call(170)`Job ${job} (run ${run}) submitted to ${host} by ${either(words('scheduler'), person)}`,
    call(165)`Job ${job} (run ${run}) started on ${host}, pid ${int(900, 32_000)}`,
    call(150)`Job ${job} (run ${run}) finished on ${host} with code ${code} after ${clock}`,
    call(24)`Job ${job} (run ${run}) aborted on ${host}: ${failure}`,
    call(20)`Job ${job} (run ${run}) killed on ${host} by ${person}`,
    call(110)`Trigger ${trigger} fired for ${job}, next at ${day} ${clock}`,
    call(80)`Dependency ${job} of ${job} is ${words('satisfied open failed')}`,
    call(
      90,
    )`GC(${gcId}) Pause Minor (${oneOf('Allocation', 'Region Limit', 'Meta Threshold')}) ${amount(400, 900)}M->${amount(10, 390)}M(${oneOf('1024', '2048')}M) ${decimal(0.5, 90, 3)}ms`,
    call(40)`GC(${gcId}) ${words('Eden Survivor Old')} regions: ${int(0, 400)}->${int(0, 400)}`,
    call(30)`GC(${gcId}) Cycle ${words('Mark Remap Relocate')} ${decimal(1, 400, 3)}ms`,
    call(
      100,
    )`Step ${int(1, 4)} of ${int(4, 9)} (${words('extract transform load validate notify')}) of ${job}: read=${amount(1, 900_000)} written=${amount(1, 900_000)} skipped=${int(0, 90)}`,
    call(60)`File ${file} arrived in ${folder} (${amount(1, 900_000_000)} bytes)`,
    call(50)`File ${file} moved from ${folder} to ${folder}`,
    call(20)`File ${file} is missing in ${folder}, waiting until ${clock}`,
    call(60)`${host}: load ${decimal(0, 30, 2)}, ${int(0, 40)} jobs running, ${int(0, 90)} queued`,
    call(30)`Lock ${job} taken by ${host}`,
    call(29)`Lock ${job} released by ${host}`,
    call(24)`Commit after ${oneOf('1000', '5000')} records, checkpoint ${rising(1000, 9)}`,
    call(
      16,
    )`Slow step: ${words('extract transform load')} of ${job} runs for ${int(2, 90)} min, usual are ${int(1, 30)} min`,
    rare`Job ${job} skipped, calendar "${calendar}" excludes ${day}`,
    rare`Job ${job} put on hold by ${person}`,
    rare`Job ${job} released from hold by ${person}`,
    rare`Job ${job} is late by ${int(2, 400)} min, owner ${person} notified`,
    rare`Job ${job} definition changed by ${person}: ${someOf(1, 3, 'schedule command host timeout')}`,
    rare`Job ${job} will be tried again in ${oneOf('60', '300', '900')} s (attempt ${int(2, 5)})`,
    rare`Job ${job} has no more attempts, giving up`,
    rare`Agent on ${host} connected, version ${int(7, 9)}.${int(0, 9)}`,
    rare`Agent on ${host} lost: ${oneOf('no heartbeat for 90 s', 'connection reset', 'host is down')}`,
    rare`Host ${host} marked ${words('offline online draining')} by ${either(words('monitor'), person)}`,
    rare`Queue ${words('default express night heavy')} opened, limit ${int(1, 40)}`,
    rare`Queue ${words('default express night heavy')} closed`,
    rare`Queue ${words('default express night heavy')} closed by ${person}, ${int(1, 40)} jobs wait`,
    rare`Calendar "${calendar}" loaded with ${int(0, 365)} days`,
    rare`Mail "${oneOf('payroll failed', 'Nightly export: 3 warnings', 'All jobs done')}" sent to ${list(1, 3, text`${person}@${domain}`)}`,
    rare`Transfer of ${file} to sftp://${words('bank partner1 ftp')}.${domain}${folder} done at ${decimal(0.1, 90, 1)} MB/s`,
    rare`Transfer of ${file} to sftp://${words('bank partner1 ftp')}.${domain}${folder} failed: ${failure}`,
    rare`Checksum of ${file} is wrong: md5 ${hex(32)}, expected ${hex(32)}`,
    rare`Row ${amount(1, 900_000)} of ${file} rejected: ${oneOf('date is not valid', 'too few columns (11 of 12)', 'amount is negative', 'duplicate key')}`,
    rare`Reject file ${file}.rej written, ${int(1, 900)} rows`,
    rare`Archive of ${day} written: ${int(1, 900)} files, ${decimal(0.1, 90, 1)} GB`,
    rare`Purged ${amount(1, 9000)} runs older than ${oneOf('30', '90', '365')} days`,
    rare`Cluster role of ${host} is now ${words('ACTIVE STANDBY')}`,
    rare`Cron expression "${oneOf('0 3 * * *', '*/15 * * * 1-5', '0 0 1 * ?', '@daily')}" of ${job} is not valid`,
    rare`Database ${words('scheddb dwh staging')} unreachable, ${int(0, 90)} updates kept in memory`,
    rare`Database ${words('scheddb dwh staging')} reachable again`,
    rare`Variable ${words('BUSINESS_DATE RUN_MODE LAST_ID')} set to ${either(text`${day}`, text`FULL`, text`${int(1, 90_000)}`, text``)} by ${job}`,
    rare`GC(${gcId}) Pause Full (${oneOf('Explicit', 'Allocation Failed')}) ${amount(900, 2000)}M->${amount(10, 800)}M(${oneOf('1024', '2048')}M) ${decimal(90, 4000, 3)}ms`,
    rare`GC(${gcId}) To-space exhausted, ${int(1, 40)} regions`,
    rare`Safepoint "${words('CollectForAllocation Deoptimize ThreadDump ICBufferFull')}", time to reach: ${int(900, 900_000)} ns, total: ${int(9000, 9_000_000)} ns`,
    rare`Full thread dump, ${int(20, 90)} threads:`,
    rare`"${thread}" #${int(1, 90)} prio=5 tid=0x${hex(16)} nid=0x${hex(4)} ${oneOf('runnable', 'waiting on condition', 'waiting for monitor entry')}`,
    rare`Thread ${thread} blocked for ${int(5, 90)} s by ${thread}`,
    rare`Uncaught exception in thread ${thread}: ${failure}`,
    rare`WARNING: ${words('com.acme.batch.Reflector org.legacy.Unsafe9 net.codec.Fields')} uses an internal interface (${words('java.nio java.lang sun.misc')}) that goes away in version ${oneOf('18', '24')}`,
    rare`DeprecationWarning: ${words('parse_date utcnow load_yaml')} is deprecated, use ${words('parse_iso now(utc) safe_load')}`,
    rare`Heap dump written to /var/tmp/heap_${int(900, 32_000)}.hprof (${decimal(0.1, 4, 1)} GB)`,
    rare`Class ${words('JobStore RunLog SftpClient')} loaded twice, from ${words('batch.jar plugins.jar')} and ${words('core-2.jar legacy.jar')}`,
    rare`Compile queue is full, interpreter keeps running ${words('RowMapper.map Csv.split Hash.add')}`,
    rare`Metaspace at ${int(70, 99)} % of ${oneOf('256', '512')} MB`,
    rare`File descriptors: ${int(900, 4000)} of 4096 in use`,
    rare`Runtime up since ${moment}, ${int(2, 32)} processors, heap ${int(20, 900)}/${oneOf('1024', '2048')} MB`,
    rare`Session ${uuid} of ${person} opened from ${host}`,
    rare`Session ${uuid} of ${person} closed`,
    rare`Report ${words('sla-daily costs runs-by-team')} printed on ${words('lp1 pdf')}, ${padded(3, int(1, 90))} pages${maybe(0.3, text` (duplex)`)}`,
  ],
}
