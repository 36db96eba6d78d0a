/**
 * Labelled log lines to judge how well messages are grouped into patterns. Change a miner by what the development sets
 * show, and look at the held-out sets for their figures alone: what was made to fit them says nothing any more.
 */
import { batchScheduler } from './batch-scheduler.ts'
import { type LabelledLine, linesOf } from './call.ts'
import { ciRunner } from './ci-runner.ts'
import { cloudControl } from './cloud-control.ts'
import { clusterManager } from './cluster-manager.ts'
import { componentServicing } from './component-servicing.ts'
import { dataExecutor } from './data-executor.ts'
import { databaseServer } from './database-server.ts'
import { iotGateway } from './iot-gateway.ts'
import { mailGateway } from './mail-gateway.ts'
import { messageBroker } from './message-broker.ts'
import { phoneSystem } from './phone-system.ts'
import { securityAgent } from './security-agent.ts'
import { shopPayments } from './shop-payments.ts'
import { unixServer } from './unix-server.ts'
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
  unixServer,
  componentServicing,
  cloudControl,
  databaseServer,
  webProxy,
  shopPayments,
  iotGateway,
  batchScheduler,
]

/** The same seed gives the same lines. Another one gives other values and other counts, from the same programs. */
export function patternSets(seed = 1): PatternSet[] {
  return PROGRAMS.map((program) => ({
    name: program.name,
    heldOut: program.heldOut,
    lines: linesOf(program, seed),
  }))
}
