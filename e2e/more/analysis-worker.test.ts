import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { get, type Parameters, sendLogs } from '../support/clients/reading-api.ts'
import { analysed } from '../support/service/analysed.ts'
import { ErrorWitness } from '../support/service/error-witness.ts'
import { createProject } from '../support/service/ingest-project.ts'
import { startService } from '../support/service/service.ts'

const ERRORS = 4_500
const KINDS = 200
const KILLS = 2
const PATIENCE_MS = 120_000

it('counts every acknowledged error into its analysis once, with the service killed in between', async () => {
  let service = await startService()
  const { dataDir } = service
  const project = await createProject({ dataDir }, 'shop')
  const witness = new ErrorWitness({ service: () => service, ...project, kinds: KINDS, errorsPerBatch: 50 })
  for (let kill = 0; kill < KILLS; kill++) {
    await witness.send(ERRORS / (KILLS + 1), 4)
    // Some of it is loaded or queued, some claimed, some still in the spool.
    await sleep(Math.random() * 800)
    await service.stop('SIGKILL')
    service = await startService({ dataDir, until: 'listening' })
  }
  await witness.send(ERRORS / (KILLS + 1), 4)
  const verdict = await witness.verdict(PATIENCE_MS)
  expect(verdict).toEqual({ acknowledged: ERRORS, counted: ERRORS, kinds: KINDS, wrongKinds: [] })
  const ask = (parameters: Parameters) => get(service, project.readKey, '/api/analyses', parameters)
  expect((await ask({ state: 'ignored' })).body).toMatchObject({ analyses: [], states: { new: KINDS } })

  // A new kind of error is there without anybody asking for it, with its exception and place.
  const stack = 'LateError: too late\n    at ship (/srv/shop/ship.ts:1:2)'
  await sendLogs(service, project, [{ level: 'info', error: { type: 'LateError', message: 'too late', stack } }])
  await analysed(service, project.id, (found) => found.length > KINDS)
  expect((await ask({ query: 'late' })).body.analyses).toMatchObject([
    {
      title: 'LateError: too late',
      where: 'ship (/srv/shop/ship.ts)',
      state: 'new',
      count: 1,
      environment: 'production',
    },
  ])
}, 600_000)
