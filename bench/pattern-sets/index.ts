/**
 * Labelled log lines to judge how well messages are grouped into patterns; `label.ts` says what the truth is. Change a
 * miner by what the development sets show, and look at the held-out sets for their figures alone: what was made to fit
 * them says nothing any more. Sets have the size of those of loghub: 2,000 lines, some templates with most of them and
 * many with a few. No miner reaches 1: a place that has many values in a program may show two of them on three lines.
 */

import { type LabelledLine, linesOf } from './call.ts'
import { accessLog } from './development/access-log.ts'
import { ciRunner } from './development/ci-runner.ts'
import { clusterManager } from './development/cluster-manager.ts'
import { containerHost } from './development/container-host.ts'
import { dataExecutor } from './development/data-executor.ts'
import { ledgerService } from './development/ledger-service.ts'
import { mailGateway } from './development/mail-gateway.ts'
import { messageBroker } from './development/message-broker.ts'
import { phoneSystem } from './development/phone-system.ts'
import { securityAgent } from './development/security-agent.ts'
import { sensorHub } from './development/sensor-hub.ts'
import { systemJournal } from './development/system-journal.ts'
import { updateInstaller } from './development/update-installer.ts'
import { webBackend } from './development/web-backend.ts'
import { backupAgent } from './held-out/backup-agent.ts'
import { batchScheduler } from './held-out/batch-scheduler.ts'
import { cloudControl } from './held-out/cloud-control.ts'
import { componentServicing } from './held-out/component-servicing.ts'
import { databaseServer } from './held-out/database-server.ts'
import { gameServer } from './held-out/game-server.ts'
import { iotGateway } from './held-out/iot-gateway.ts'
import { mediaServer } from './held-out/media-server.ts'
import { networkSwitch } from './held-out/network-switch.ts'
import { shopPayments } from './held-out/shop-payments.ts'
import { unixServer } from './held-out/unix-server.ts'
import { webProxy } from './held-out/web-proxy.ts'

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
