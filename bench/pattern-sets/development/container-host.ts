import { call, type ProgramLog, rare, text } from '../call.ts'
import {
  amount,
  base36,
  clock,
  decimal,
  either,
  flag,
  hex,
  int,
  list,
  maybe,
  oneOf,
  privateIp,
  rising,
  someOf,
  uuid,
  words,
} from '../values.ts'

const app = words(
  'cart checkout web search-api billing-worker auth redis kafka-proxy metrics-agent frontend mailer image-resizer cron-cleaner',
)
const pod = text`${app}-${hex(9)}-${base36(5)}`
const space = words('default kube-system shop monitoring ci team-blue team-red')
const ref = text`${space}/${pod}`
const image = text`registry.example.com/${app}:v${int(1, 9)}.${int(0, 40)}.${int(0, 9)}`
const container = hex(64)
const node = text`node-${int(1, 24)}`
const volume = words('data config tmp kube-api-access certs logs cache')
const cause = oneOf(
  'back-off 5m0s restarting failed container',
  'ImagePullBackOff',
  'context deadline exceeded',
  'OOMKilled',
)

/** A node of a container cluster, with pairs after a quoted message. */
export const containerHost: ProgramLog = {
  name: 'container-host',
  heldOut: false,
  calls: [
    call(
      220,
    )`"SyncLoop (PLEG): event for pod" pod="${ref}" event={"ID":"${uuid}","Type":"${words('ContainerStarted ContainerDied ContainerRemoved')}","Data":"${container}"}`,
    call(140)`"SyncLoop ADD" source="api" pods=[${list(1, 3, text`"${ref}"`, ',')}]`,
    call(100)`"SyncLoop DELETE" source="api" pods=[${list(1, 3, text`"${ref}"`, ',')}]`,
    call(
      130,
    )`"Probe failed" probeType="${words('Readiness Liveness Startup')}" pod="${ref}" podUID="${uuid}" containerName="${app}" probeResult="failure" output="${oneOf('HTTP probe failed with statuscode: 503', 'connection refused', 'timeout')}"`,
    call(
      110,
    )`"MountVolume.SetUp succeeded for volume \\"${volume}\\" (UniqueName: \\"kubernetes.io/${words('configmap secret projected empty-dir')}/${uuid}-${volume}\\") pod \\"${pod}\\"" pod="${ref}"`,
    call(90)`"Error syncing pod, skipping" err="failed to start container: ${cause}" pod="${ref}" podUID="${uuid}"`,
    call(100)`Pulling image "${image}"`,
    call(98)`Successfully pulled image "${image}" in ${decimal(0.1, 90, 3)}s`,
    call(30)`Failed to pull image "${image}": ${oneOf('not found', 'unauthorized', 'i/o timeout')}`,
    call(90)`Created container ${app}`,
    call(88)`Started container ${app}`,
    call(40)`Stopping container ${app}`,
    call(
      60,
    )`time="2025-03-0${int(1, 9)}T${clock}Z" level=${words('info warning error')} msg="shim disconnected" id=${container} namespace=${words('k8s.io moby')}`,
    call(
      50,
    )`time="2025-03-0${int(1, 9)}T${clock}Z" level=info msg="StopContainer for \\"${container}\\" with timeout ${int(1, 60)} (s)"`,
    call(60)`Scaled ${words('up down')} replica set ${app}-${hex(9)} to ${int(0, 12)} from ${int(0, 12)}`,
    call(50)`Successfully assigned ${ref} to ${node}`,
    call(
      40,
    )`0/${int(3, 24)} nodes are available: ${int(1, 9)} Insufficient ${words('cpu memory')}${maybe(0.3, text`, ${int(1, 9)} node(s) had untolerated taint`)}.`,
    call(40)`endpoints of ${space}/${app} changed: ${list(0, 4, text`${privateIp}:8080`, ' ')}`,
    call(
      30,
    )`Updating NodePort rule for service ${space}/${app}:${words('http grpc metrics')} to ${int(30_000, 32_000)}`,
    rare`eviction manager: ${words('memory disk inodes')} pressure on ${node}, ranking ${int(1, 90)} pods`,
    rare`eviction manager: pod ${ref} is evicted`,
    rare`node ${node} status is now: ${words('NodeReady NodeNotReady')}`,
    rare`node ${node} cordoned by ${words('admin autoscaler upgrade')}`,
    rare`lease ${space}/${app} acquired by ${pod}`,
    rare`lease ${space}/${app} lost by ${pod}`,
    rare`admission webhook "${words('policy istio cert-manager vault opa quota')}.example.com" denied the request: ${oneOf('privileged container', 'missing label team', 'image not signed')}`,
    rare`network policy ${space}/${words('deny-all allow-dns allow-web allow-metrics allow-egress db-only')} programmed in ${int(1, 900)} ms`,
    rare`ingress ${space}/${app} has ${int(1, 9)} rules, tls=${flag}`,
    rare`certificate for ${app}.${space}.svc rotated, valid until 2026-0${int(1, 9)}-1${int(0, 9)}`,
    rare`garbage collection freed ${amount(1000, 9_000_000)} bytes, ${int(1, 40)} images`,
    rare`horizontal scaler of ${app}: cpu ${int(10, 200)}% of ${int(50, 80)}%, replicas ${int(1, 12)} -> ${int(1, 12)}`,
    rare`persistent volume pvc-${uuid} bound to ${space}/${words('pg-data redis-data uploads registry prometheus-db kafka-0-data')}`,
    rare`taints of ${node} now [${someOf(0, 3, 'dedicated=gpu:NoSchedule spot=true:NoExecute maintenance:NoSchedule', ' ')}]`,
    rare`etcd snapshot ${rising(4000, 3)} saved in ${int(3, 900)} ms`,
    rare`job ${space}/${app}-${int(28_000_000, 29_000_000)} completed`,
    rare`job ${space}/${app}-${int(28_000_000, 29_000_000)} failed: ${oneOf('BackoffLimitExceeded', 'DeadlineExceeded')}`,
    rare`image ${image} has ${int(0, 90)} findings: ${int(0, 9)} critical, ${either(int(0, 9), text`no`)} high`,
  ],
}
