import { call, type ProgramLog, rare, text } from '../call.ts'
import {
  amount,
  decimal,
  either,
  int,
  list,
  maybe,
  oneOf,
  padded,
  person,
  privateIp,
  rising,
  uuid,
  words,
} from '../values.ts'

const app = text`application_1712003300451_${padded(4, int(1, 160))}`
const container = text`container_1712003300451_0${int(100, 199)}_01_0000${padded(2, int(1, 30))}`
const host = words('exec-01 exec-07 exec-21 worker-a worker-b master')
const size = text`${decimal(0.5, 999, 1)} ${words('KB B MB GB')}`
const block = either(
  text`rdd_${int(1, 90)}_${int(0, 400)}`,
  text`broadcast_${int(0, 90)}_piece0`,
  text`broadcast_${int(0, 90)}`,
  text`taskresult_${int(1, 4000)}`,
)
const stage = text`stage ${int(0, 40)}.${oneOf('0', '1')} (TID ${rising(0, 3)})`
const split = text`hdfs://${words('10.10.34.11:9000 nn1:8020')}/${words('raw/logs data/clicks warehouse/orders')}/part-${padded(5, int(0, 400))}`
const exception = oneOf(
  'java.io.IOException: Connection reset by peer',
  'java.util.concurrent.TimeoutException: Futures timed out after [10 seconds]',
  'java.lang.OutOfMemoryError: GC overhead limit exceeded',
  'java.net.ConnectException: Connection refused: worker-b/10.10.34.22:4040',
  'java.lang.InterruptedException',
)

export const dataExecutor: ProgramLog = {
  name: 'data-executor',
  heldOut: false,
  calls: [
    call(400)`Task ${int(0, 400)}.0 in ${stage} done, ${amount(800, 9000)} bytes of result sent to driver`,
    call(380)`Task ${int(0, 400)}.0 in ${stage} begins`,
    call(260)`Block ${block} present on this executor`,
    call(
      200,
    )`Block ${block} kept at level ${words('MEMORY_ONLY MEMORY_AND_DISK OFF_HEAP')} (estimated size ${size}, free ${size})`,
    call(150)`Task assigned: ${rising(0, 3)}`,
    call(120)`Reading split: ${split}:${int(0, 9_000_000)}+${int(1, 9_000_000)}`,
    call(70)`Shuffle fetch: ${int(1, 180)} non-empty blocks of ${int(180, 400)}`,
    call(64)`Shuffle fetch: ${int(0, 40)} remote requests in ${int(0, 90)} ms`,
    call(50)`Broadcast ${int(0, 90)} read in ${int(3, 400)} ms`,
    call(
      30,
    )`Python timing: all = ${amount(10, 9000)}, start = ${int(-4000, 90)}, setup = ${int(1, 4000)}, end = ${int(0, 400)}`,
    call(
      26,
    )`Output of attempt_2015${int(10, 12)}${int(10, 28)}_${padded(4, int(0, 90))}_m_${padded(6, int(0, 400))}_0 committed to ${split}`,
    call(
      20,
    )`[Collect (${words('young mixed')}) ${amount(400, 4000)}M->${amount(20, 390)}M(${oneOf('4096', '8192')}M); ${decimal(0.001, 0.9, 7)} s]`,
    call(
      16,
    )`${words('mapreduce.job.id mapreduce.task.id mapreduce.task.partition user.name')} is deprecated, use ${words('mapreduce.job mapreduce.task.attempt.id mapreduce.partition')} instead`,
    call(12)`Spilled ${decimal(10, 900, 1)} MB to disk (${int(1, 9)} times so far)`,
    call(12)`Heartbeat to driver took ${amount(300, 9000)} ms`,
    call(10)`Block ${block} removed from ${host}:${int(30_000, 60_000)} in memory (size: ${size}, free: ${size})`,
    rare`Block ${block} could not be removed: ${exception}`,
    rare`Executor ${int(0, 30)} for ${app} joins driver at ${host}:${int(30_000, 60_000)}`,
    rare`Executor told to shut down by driver`,
    rare`Driver ${host}:${int(30_000, 60_000)} disassociated, ${words('leaving waiting')}`,
    rare`View ACLs changed to: ${list(1, 3, person, ',')}`,
    rare`Modify ACLs changed to: ${list(1, 3, person, ',')}`,
    rare`Security manager: authentication ${words('disabled enabled')}; ui acls disabled; users with view permissions: Set(${list(1, 3, person)}); users with modify permissions: Set(${list(0, 3, person)})`,
    rare`Slf4j logger is up`,
    rare`Remoting listens on addresses :[akka.tcp://executorSystem@${host}:${int(30_000, 60_000)}]`,
    rare`Memory store of capacity ${decimal(1, 20, 1)} GB is up`,
    rare`Local directory at /opt/hdfs/nodemanager/usercache/${person}/appcache/${app}/blockmgr-${uuid}`,
    rare`Deleting directory /opt/hdfs/nodemanager/usercache/${person}/appcache/${app}/tmp-${uuid}`,
    rare`Launching ${container} on ${host} with ${amount(1024, 16_384)} MB and ${int(1, 8)} cores`,
    rare`Container ${container} exited with ${oneOf('143', '1', '-100', '137')}: ${maybe(0.8, oneOf('Killed by external signal', 'Container killed on request. Exit code is 143', 'lost node'))}`,
    rare`Lost task ${int(0, 400)}.${int(0, 3)} in ${stage} on ${host}: ${exception}`,
    rare`Fetch again (${int(1, 3)}/3), ${int(1, 30)} blocks missing, waiting 5000 ms`,
    rare`Failed to connect to ${host}/${privateIp}:${int(30_000, 60_000)}: ${exception}`,
    rare`Uncaught exception in thread ${oneOf('Executor task launch worker-3', 'dispatcher-event-loop-1', 'main', 'shuffle-client-0')}: ${exception}`,
    rare`Memory is too small for block ${block}! (${size} of it are there)`,
    rare`Compiled ${words('projection filter ordering aggregate')} in ${decimal(1, 400, 6)} ms`,
    rare`Checkpoint of ${text`rdd_${int(1, 90)}`} written to ${split}, ${int(1, 400)} partitions`,
    rare`Python worker ${int(2000, 30_000)} idle for 1 min, stopping it`,
    rare`Signal ${words('TERM HUP INT')} received`,
    rare`Last hook ran, leaving`,
  ],
}
