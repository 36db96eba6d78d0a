import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { AppError } from '../errors.ts'
import type { ErrorCount } from '../logstore/log-store.ts'
import type { SampledError } from '../logstore/questions.ts'
import type { StackReader } from '../model/source-stacks.ts'
import { type AnalysisParts, describeCounts } from './describe-counts.ts'

const SOURCE_STACK = 'Error: boom\n    at price (src/cart.ts:3:1)'

const counts = ['1', '2', '3'].map(
  (name, at) =>
    ({
      projectId: 'prj_a',
      environment: 'production',
      fingerprint: name.repeat(16),
      splitValue: '',
      segmentId: 'seg_1',
      count: 9 - at,
      firstUs: 1,
      firstLogId: `log_${name}`,
    }) as unknown as ErrorCount,
)

function sampleOf(id: string): SampledError {
  const stack = 'Error: boom\n    at e (https://a.example/main.js:1:100)'
  const error = { type: 'Error', message: `boom ${id}`, stack }
  const sample = { id, level: 'error', service: 'shop', logger: '', release: '1.0', message: id, error }
  return { ...sample, environmentDefaulted: false } as unknown as SampledError
}

/** What each count is described with, and what was warned of. */
async function described(among: () => Promise<StackReader>) {
  const warnings: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => warnings.push(JSON.parse(line).err.message) })
  const parts = {
    sources: { among },
    control: { analyses: { existing: async () => new Map() } },
    logStore: { project: () => ({ samples: async (ids: string[]) => ids.map(sampleOf) }) },
    log,
  } as unknown as AnalysisParts
  const groupOf = await describeCounts(parts, counts)
  const groups = counts.map(groupOf)
  expect(groups.map(({ title }) => title)).toEqual(counts.map(({ firstLogId }) => `Error: boom ${firstLogId}`))
  return { stacks: groups.map(({ sample }) => sample.sourceStack), warnings }
}

function readerOf(sourceStack: StackReader['sourceStack']): () => Promise<StackReader> {
  return async () => ({ coversProject: () => true, covers: () => true, sourceStack })
}

describe('errors whose source maps cannot be read', () => {
  it('are described as they were sent when the maps of a project cannot be asked for', async () => {
    const away = () => Promise.reject(new AppError('unavailable', 'away'))
    expect(await described(away)).toEqual({ stacks: [undefined, undefined, undefined], warnings: ['away'] })
  })

  it('are described as they were sent one by one when one stack fails', async () => {
    const reader = readerOf(async (_, { message }) => {
      if (message === 'log_2') throw new RangeError('bug')
      return SOURCE_STACK
    })
    expect(await described(reader)).toEqual({ stacks: [SOURCE_STACK, undefined, SOURCE_STACK], warnings: ['bug'] })
  })

  it('are not asked for again, one by one, when the store is away', async () => {
    let asked = 0
    const reader = readerOf(async () => {
      asked++
      throw new AppError('unavailable', 'away')
    })
    expect(await described(reader)).toEqual({ stacks: [undefined, undefined, undefined], warnings: ['away'] })
    expect(asked).toBe(1)
  })
})
