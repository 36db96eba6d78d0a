/** The long version: a million errors of a thousand kinds, with the worker's node and the engine killed under it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ErrorWitness } from '../support/service/error-witness.ts'
import { createProject } from '../support/service/ingest-project.ts'
import { type Service, startService } from '../support/service/service.ts'
import { report, times } from './report.ts'

const KILLS = times(40)
const ERRORS = Number(process.env.FAULT_ERRORS ?? 1_000_000)
const KINDS = Number(process.env.FAULT_KINDS ?? 1_000)
/** Longer than a dead node's claims last. */
const PATIENCE_MS = 180_000

it('kills of the node and of the engine lose and double no error of any analysis', async () => {
  let service = await startService()
  const { dataDir } = service
  const project = await createProject({ dataDir }, 'shop')
  const witness = new ErrorWitness({ service: () => service, ...project, kinds: KINDS, errorsPerBatch: 500 })
  const sending = witness.send(ERRORS, 4)
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(500 + Math.random() * 3_000)
    if (kill % 3 === 2) killEngine(service)
    else {
      await service.stop('SIGKILL')
      service = await startService({ dataDir, until: 'listening' })
    }
  }
  await sending
  const verdict = await witness.verdict(PATIENCE_MS)
  const { acknowledged, counted, wrongKinds } = verdict
  report({
    fault: 'node and engine killed while errors are analysed',
    times: KILLS,
    acknowledged,
    stored: counted,
    lost: Math.max(0, acknowledged - counted),
    doubled: Math.max(0, counted - acknowledged),
    note: `${verdict.kinds} kinds, ${wrongKinds.length} wrong`,
  })
  expect(wrongKinds).toEqual([])
  expect(verdict).toMatchObject({ acknowledged: ERRORS, counted: ERRORS, kinds: KINDS })
})

function killEngine({ dataDir }: Service): void {
  try {
    process.kill(Number.parseInt(readFileSync(join(dataDir, 'engine/engine.pid'), 'utf8'), 10), 'SIGKILL')
  } catch {
    // Between two engines there is none.
  }
}
