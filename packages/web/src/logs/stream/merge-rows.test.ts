import type { DeployRow, LogRow } from '@tidemark/wire/reading/reading'
import { describe, expect, it } from 'vitest'
import { mergeRows } from './merge-rows.ts'

const log = (id: string, timestamp: string) => ({ kind: 'log', id, timestamp }) as LogRow
const deploy = (id: string, timestamp: string) => ({ kind: 'deploy', id, timestamp }) as DeployRow

describe('the stream', () => {
  it('has every row once, newest first, to the microsecond', () => {
    const found = [log('a', '2026-11-15T00:00:00.000002Z'), log('b', '2026-11-15T00:00:00Z')]
    const live = [log('c', '2026-11-15T00:00:00.000010Z'), log('a', '2026-11-15T00:00:00.000002Z')]
    expect(mergeRows(found, live).map(({ id }) => id)).toEqual(['c', 'a', 'b'])
  })

  it('puts a deploy between the records around it, below those of its very time', () => {
    const rows = [
      log('after', '2026-11-15T00:00:02Z'),
      log('same', '2026-11-15T00:00:01Z'),
      log('before', '2026-11-15T00:00:00Z'),
    ]
    const merged = mergeRows(rows, [deploy('dep', '2026-11-15T00:00:01.000Z')])
    expect(merged.map(({ id }) => id)).toEqual(['after', 'same', 'dep', 'before'])
  })
})
