/**
 * Labelled log lines to judge how well messages are grouped into patterns; `label.ts` says what the truth is. Change a
 * miner by what the development sets show, and look at the held-out sets for their figures alone: what was made to fit
 * them says nothing any more. Sets have the size of those of loghub: 2,000 lines, some templates with most of them and
 * many with a few. No miner reaches 1: a place that has many values in a program may show two of them on three lines.
 */
import { accessLog } from './access-log.ts'
import { backupAgent } from './backup-agent.ts'
import { batchScheduler } from './batch-scheduler.ts'
import { type LabelledLine, linesOf } from './call.ts'
import { ciRunner } from './ci-runner.ts'
import { cloudControl } from './cloud-control.ts'
import { clusterManager } from './cluster-manager.ts'
import { componentServicing } from './component-servicing.ts'
import { containerHost } from './container-host.ts'
import { dataExecutor } from './data-executor.ts'
import { databaseServer } from './database-server.ts'
import { gameServer } from './game-server.ts'
import { iotGateway } from './iot-gateway.ts'
import { ledgerService } from './ledger-service.ts'
import { mailGateway } from './mail-gateway.ts'
import { mediaServer } from './media-server.ts'
import { messageBroker } from './message-broker.ts'
import { networkSwitch } from './network-switch.ts'
import { phoneSystem } from './phone-system.ts'
import { securityAgent } from './security-agent.ts'
import { sensorHub } from './sensor-hub.ts'
import { shopPayments } from './shop-payments.ts'
import { systemJournal } from './system-journal.ts'
import { unixServer } from './unix-server.ts'
import { updateInstaller } from './update-installer.ts'
import { webBackend } from './web-backend.ts'
import { webProxy } from './web-proxy.ts'

export interface PatternSet {
  name: string
  heldOut: boolean
  lines: LabelledLine[]
}

const PROGRAMS = [
  phoneSystem,
  clusterManager,
  dataExecutor,
  mailGateway,
  messageBroker,
  webBackend,
  ciRunner,
  securityAgent,
  systemJournal,
  accessLog,
  containerHost,
  ledgerService,
  sensorHub,
  updateInstaller,
  unixServer,
  componentServicing,
  cloudControl,
  databaseServer,
  webProxy,
  shopPayments,
  iotGateway,
  batchScheduler,
  networkSwitch,
  gameServer,
  backupAgent,
  mediaServer,
]

/** The same seed gives the same lines. Another one gives other values and other counts, from the same programs. */
export function patternSets(seed = 1): PatternSet[] {
  return PROGRAMS.map((program) => ({
    name: program.name,
    heldOut: program.heldOut,
    lines: linesOf(program, seed),
  }))
}
