import { call, type ProgramLog, rare, text } from '../call.ts'
import {
  amount,
  clock,
  day,
  decimal,
  either,
  hex,
  int,
  maybe,
  moment,
  oneOf,
  person,
  port,
  privateIp,
  rising,
  someOf,
  upper,
  words,
} from '../values.ts'

const table = words('orders customers order_items sessions events inventory audit_log payments')
const database = words('shop reporting postgres crm analytics')
const role = words('app_rw app_ro reporting migrator anna replicator')
const statement = either(
  text`SELECT * FROM ${table} WHERE id = $1`,
  text`SELECT count(*) FROM ${table} WHERE created_at > '${day}' AND status = '${words('open paid done')}'`,
  text`UPDATE ${table} SET status = $1, updated_at = now() WHERE id = ${int(1, 90_000)}`,
  text`INSERT INTO ${table} (${someOf(2, 5, 'id name total note state')}) VALUES ($1, $2) RETURNING id`,
  text`BEGIN`,
  text`select o.id, c.name from orders o join customers c on c.id = o.customer_id where o.total > ${int(1, 900)} order by o.id limit ${oneOf('50', '100')}`,
)
const wal = text`${oneOf('3', '4')}/${upper(hex(8))}`
const segment = text`00000001000000${upper(hex(2))}000000${upper(hex(2))}`
const standby = words('replica1 replica2 dr_site walreceiver')
const xid = rising(8_190_000, 5)
const relation = text`${words('relation tuple transactionid extend')}`

export const databaseServer: ProgramLog = {
  name: 'database-server',
  heldOut: true,
  calls: [
    call(150)`took ${decimal(0.02, 900, 3)} ms, statement: ${statement}`,
    call(
      60,
    )`took ${decimal(0.02, 900, 3)} ms, execute ${oneOf('<unnamed>', 'S_1', 'S_14', 'lookup_customer')}: ${statement}`,
    call(
      190,
    )`client connects: host=${either(text`${privateIp} port=${port}`, text`app-${int(1, 9)}.internal port=${port}`, text`[local]`)}`,
    call(
      185,
    )`client admitted: user=${role} database=${database}${maybe(0.9, text` application=${words('orders-api psql Metabase dump')}`)}`,
    call(
      230,
    )`client leaves: connected for ${int(0, 3)}:${clock}.${int(100, 999)} user=${role} database=${database} host=${privateIp} port=${port}`,
    call(70)`checkpoint begins: ${someOf(1, 3, 'time wal immediate force wait', ' ')}`,
    call(
      69,
    )`checkpoint ends: wrote ${int(1, 90_000)} buffers (${decimal(0.1, 99, 1)}%); ${int(0, 9)} segments new, ${int(0, 9)} removed, ${int(0, 9)} recycled; write=${decimal(1, 270, 3)} s, sync=${decimal(0, 2, 3)} s, total=${decimal(1, 272, 3)} s`,
    call(
      90,
    )`sweep of table "${database}.public.${table}": passes: ${int(0, 2)} pages: ${int(0, 90)} freed, ${int(1, 9000)} kept rows: ${int(0, 9000)} freed, ${int(1, 900_000)} kept`,
    call(
      80,
    )`statistics of table "${database}.public.${table}" used: CPU: ${decimal(0, 9, 2)} s, elapsed: ${decimal(0, 30, 2)} s`,
    call(40)`spill file: "base/tmp/t${int(900, 30_000)}.${int(0, 90)}", size ${amount(9_000, 900_000_000)}`,
    call(90)`archived segment ${segment} in ${decimal(0.1, 3, 2)} s`,
    call(
      30,
    )`process ${int(900, 30_000)} keeps waiting for ${words('ShareLock ExclusiveLock AccessShareLock')} on ${relation} ${xid} after ${decimal(1000, 1009, 3)} ms`,
    call(
      28,
    )`process ${int(900, 30_000)} got ${words('ShareLock ExclusiveLock AccessShareLock')} on ${relation} ${xid} after ${decimal(1000, 90_000, 3)} ms`,
    call(26)`client cannot be read: ${oneOf('Connection reset by peer', 'Connection timed out', 'Broken pipe')}`,
    call(24)`client went away inside a transaction`,
    call(22)`row refused, key exists already in "${table}_${words('pkey email_key number_key')}"`,
    call(18)`statement given up: ${oneOf('time limit', 'user request', 'lock limit', 'conflict with replay')}`,
    call(
      16,
    )`relation "${either(table, text`old_${table}`, words('schema_migrations pg_stat_activty'))}" is unknown at position ${int(10, 300)}`,
    call(12)`column "${words('statu id2 totl custmer')}" is unknown at position ${int(10, 300)}`,
    call(12)`standby "${standby}" changes to ${oneOf('a synchronous standby', 'streaming', 'catching up')}`,
    call(12)`replication lag of ${standby}: ${amount(1, 900_000_000)} bytes, ${decimal(0, 90, 1)} s behind`,
    rare`wrong password for user "${either(role, person)}"`,
    rare`no access rule for host "${privateIp}", user "${either(role, person)}", database "${database}", ${oneOf('no encryption', 'SSL encryption')}`,
    rare`no database is called "${either(database, words('test prod'))}"`,
    rare`no role is called "${person}"`,
    rare`deadlock: process ${int(900, 30_000)} waits for ${int(900, 30_000)}, which waits for process ${int(900, 30_000)}`,
    rare`role "${role}" has all its connections in use`,
    rare`last connections are kept for administrators`,
    rare`no right to read table ${table}`,
    rare`cannot parse from "${words('FORM , ) selct WHERE')}" at position ${int(1, 90)}`,
    rare`column "${words('id email total')}" of table "${table}" needs a value`,
    rare`text is longer than ${oneOf('255', '32', '64')} characters`,
    rare`not a valid ${words('integer uuid timestamp')}: "${maybe(0.7, oneOf('abc', 'null', 'undefined', '12,5'))}"`,
    rare`server started, version 14.${int(1, 12)}, listening on ${oneOf('"0.0.0.0"', '"::"')}, port 5432`,
    rare`data was not closed properly; last alive at ${day} ${clock} UTC`,
    rare`data was closed properly at ${day} ${clock} UTC`,
    rare`recovery begins at ${wal}`,
    rare`recovery ends at ${wal}`,
    rare`data is consistent from ${wal}`,
    rare`replay done at ${wal} used: CPU: ${decimal(0, 9, 2)} s, elapsed: ${decimal(0, 30, 2)} s`,
    rare`now open for ${oneOf('connections', 'read-only connections')}`,
    rare`received ${words('fast smart immediate')} stop request`,
    rare`signal HUP, settings are read again`,
    rare`parameter "${words('work_mem max_wal_size log_min_duration shared_buffers')}" changed to "${oneOf('64MB', '2GB', '250', '8GB')}"`,
    rare`parameter "${words('work_mem max_wal_size log_min_duration shared_buffers')}" takes effect at the next start only`,
    rare`standby asks for segment ${segment}, which is gone`,
    rare`receiving from primary at ${wal} on timeline ${int(1, 3)}`,
    rare`replication ended by primary: ${oneOf('end of timeline 1', 'stopped by an operator')}`,
    rare`decoding for slot "${words('cdc_orders debezium audit')}" starts at ${wal}`,
    rare`background worker "${oneOf('logical replication launcher', 'parallel worker', 'autovacuum worker')}" (PID ${int(900, 30_000)}) ended with code ${oneOf('0', '1')}`,
    rare`server process (PID ${int(900, 30_000)}) died of signal ${oneOf('9', '11')}`,
    rare`checkpoints come every ${int(4, 29)} seconds, raise the segment limit`,
    rare`damaged page: block ${int(1, 90_000)} of relation base/${int(16_000, 17_000)}/${int(16_000, 90_000)}`,
    rare`transaction ids of database "${database}" run out after ${amount(900_000, 9_000_000)} more transactions`,
    rare`index "${table}_${words('pkey created_idx email_key')}" built concurrently in ${decimal(1, 900, 1)} s`,
    rare`backup ${words('full incremental')} of ${database} finished at ${moment}, ${decimal(1, 90, 1)} GB`,
  ],
}
