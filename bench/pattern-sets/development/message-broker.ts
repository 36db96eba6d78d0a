import { call, type ProgramLog, rare, text } from '../call.ts'
import {
  amount,
  base36,
  either,
  hex,
  int,
  list,
  maybe,
  oneOf,
  padded,
  port,
  privateIp,
  rising,
  someOf,
  uuid,
  words,
} from '../values.ts'

const topic = words('orders payments page-views audit.events user_signup inventory.v2 __offsets clicks dead-letter')
const partition = text`${topic}-${int(0, 31)}`
const group = words('billing search-indexer mailer analytics-hourly console-consumer-4411 fraud')
const member = text`${words('consumer sarama rdkafka worker')}-${int(1, 12)}-${uuid}`
const broker = oneOf('1', '2', '3', '0')
const offset = rising(880_000, 210)
const session = text`0x${hex(15)}`
const logDir = text`/var/lib/broker/data/${partition}`
const queue = words('emails invoices thumbnails webhooks retry.5m amq.gen-JzTY20BR')
const why = oneOf(
  'peer 2 hung up early',
  'NOT_LEADER_FOR_PARTITION',
  'no connection within 30000 ms',
  'OFFSET_OUT_OF_RANGE',
)

export const messageBroker: ProgramLog = {
  name: 'message-broker',
  heldOut: false,
  calls: [
    call(
      210,
    )`[Log partition=${partition}, dir=/var/lib/broker/data] Segment opened at ${offset}, took ${int(1, 30)} ms.`,
    call(
      120,
    )`[Log partition=${partition}, dir=/var/lib/broker/data] Dropping segments ${list(1, 3, text`Segment(baseOffset=${offset}, size=${amount(1000, 1_073_741_824)})`, ',')}`,
    call(
      110,
    )`[Producers partition=${partition}] Snapshot written at offset ${offset} with ${int(0, 40)} producer ids in ${int(0, 9)} ms.`,
    call(
      150,
    )`[Coordinator ${broker}]: Group ${group} shuffles its members after generation ${int(1, 900)} (because ${either(text`member ${member} joins`, text`member ${member} left`, text`heartbeat of ${member} expired`)})`,
    call(
      120,
    )`[Coordinator ${broker}]: Group ${group} is stable in generation ${int(1, 900)} with ${int(1, 12)} members`,
    call(110)`[Coordinator ${broker}]: Leader ${member} assigned work of group ${group}, generation ${int(1, 900)}`,
    call(60)`[Coordinator ${broker}]: Member ${member} of group ${group} failed, taken out`,
    call(56)`[Coordinator ${broker}]: Member ${member} of group ${group} left, taken out`,
    call(30)`[Coordinator ${broker}]: Group ${group} with generation ${int(1, 900)} has nobody left`,
    call(100)`[Cleaner]: Forgot ${int(0, 90)} old offsets in ${int(0, 30)} ms.`,
    call(70)`open connection <0.${int(200, 90_000)}.0> (${privateIp}:${port} -> ${privateIp}:5672)`,
    call(
      64,
    )`end connection <0.${int(200, 90_000)}.0> (${privateIp}:${port} -> ${privateIp}:5672, vhost: '${oneOf('/', 'staging')}', user: '${words('guest orders mailer')}')`,
    call(
      60,
    )`connection <0.${int(200, 90_000)}.0> (${privateIp}:${port} -> ${privateIp}:5672): user '${words('guest orders mailer')}' may use vhost '${oneOf('/', 'staging')}'`,
    call(50)`Session ${session} granted to /${privateIp}:${port}, timeout ${oneOf('6000', '18000', '30000')} ms`,
    call(46)`Session ${session} ended, silent for ${oneOf('6000', '18000', '30000')}ms`,
    call(40)`Socket of /${privateIp}:${port} shut${maybe(0.6, text`, it had session ${session}`)}`,
    call(30)`Client /${privateIp}:${port} speaks an old dialect; it cannot stay when we are read-only`,
    call(40)`[ReplicaFetcher replicaId=${broker}, leaderId=${broker}, fetcherId=0] Fetch did not work: ${why}`,
    call(
      30,
    )`[ReplicaManager broker=${broker}] Leader ${partition} drops replicas, was ${someOf(2, 3, '1 2 3 0', ',')} now ${someOf(1, 2, '1 2 3 0', ',')}`,
    call(
      28,
    )`[ReplicaManager broker=${broker}] Leader ${partition} adds replicas, was ${someOf(1, 2, '1 2 3 0', ',')} now ${someOf(2, 3, '1 2 3 0', ',')}`,
    call(26)`[Controller id=${broker}] Partition ${partition} leader ${broker} -> ${broker}, epoch ${int(1, 90)}`,
    call(
      16,
    )`queue '${queue}' has ${amount(1, 900_000)} messages ready, ${int(0, 900)} unacked, ${int(0, 30)} consumers`,
    call(
      10,
    )`memory alarm ${words('set clear')}. Bytes used: ${amount(90_000_000, 4_000_000_000)} allowed: ${oneOf('3301120409', '6602240819')}`,
    rare`disk alarm: ${amount(1000, 49_000)} KB left, limit is 50 MB`,
    rare`queue '${queue}' declared, durable=${words('true false')}, args={${maybe(0.4, text`x-message-ttl=${oneOf('60000', '5000')}`)}}`,
    rare`queue '${queue}' deleted by ${words('guest orders policy')}`,
    rare`Topic ${topic} created with ${oneOf('3', '6', '12', '32')} partitions, replication ${oneOf('1', '2', '3')}, config {${someOf(0, 2, 'cleanup.policy=compact retention.ms=604800000 min.insync.replicas=2', ', ')}}`,
    rare`Topic ${topic} marked for deletion`,
    rare`Loading of ${partition} finished in ${int(2, 900)} ms, ${int(0, 9)} segments recovered`,
    rare`Loading of ${partition} failed, corrupt index at position ${amount(10, 900_000)}`,
    rare`Renamed ${logDir} to ${logDir}.${hex(32)}-delete`,
    rare`Broker ${broker} registered in the ensemble at path /brokers/ids/${broker}`,
    rare`Broker ${broker} unregistered`,
    rare`Broker ${broker} unregistered after ${int(6, 90)} s of silence, ${int(1, 90)} partitions move`,
    rare`Elected as leader of ${int(1, 90)} partitions, resigned from ${int(0, 90)}`,
    rare`Follower now, vote took ${int(9, 900)} ms`,
    rare`Leader now, vote took ${int(9, 900)} ms`,
    rare`Vote: ${int(1, 3)} (leader), 0x${hex(9)} (last), 0x${hex(1)} (round), ${words('LOOKING FOLLOWING LEADING')} (state), ${int(1, 3)} (from)`,
    rare`No channel to ${int(1, 3)} for voting at ${words('zk1 zk2 zk3')}/${privateIp}:3888: ${oneOf('Connection refused', 'Host is unreachable (Host unreachable)', 'timed out')}`,
    rare`Snapshot 0x${hex(9)} saved to /var/lib/zk/version-2/snapshot.${hex(9)}`,
    rare`Log file /var/lib/zk/version-2/log.${hex(9)} created`,
    rare`sync to disk needed ${int(1001, 9000)} ms, answers will be slow`,
    rare`Expired session list has ${int(1, 40)} entries`,
    rare`Producer ${words('orders-api-1 checkout-2 import')} gets epoch ${int(0, 30)} for transaction ${words('orders-tx import-nightly pay')}`,
    rare`Transaction ${words('orders-tx import-nightly pay')} of producer ${int(1000, 9000)} aborted after ${int(60, 900)} s`,
    rare`Authentication of ${privateIp}:${port} failed: ${oneOf("PLAIN login refused: user 'admin' - invalid credentials", 'SSL handshake failed', 'unsupported mechanism SCRAM-SHA-256')}`,
    rare`Authentication of ${words('orders mailer fraud')} at ${privateIp}:${port} succeeded, mechanism SCRAM-SHA-256`,
    rare`message ${base36(12)} of queue '${queue}' dead-lettered after ${int(1, 9)} deliveries, reason: ${words('rejected expired maxlen')}`,
    rare`Quota of client ${words('crawler import console')} exceeded, throttled for ${int(10, 9000)} ms`,
    rare`mirror ${words('rabbit@mq1 rabbit@mq2 rabbit@mq3')} of queue '${queue}' is synchronised`,
    rare`mirror ${words('rabbit@mq1 rabbit@mq2 rabbit@mq3')} of queue '${queue}' is lost`,
    rare`node ${words('rabbit@mq1 rabbit@mq2 rabbit@mq3')} ${words('up down')}`,
    rare`Upgrade of protocol version 2.${int(0, 8)} to 3.${int(0, 5)} finished in ${int(10, 900)} ms, feature level ${padded(2, int(1, 20))}`,
  ],
}
