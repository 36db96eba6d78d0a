import type { DeployRow, LogRow } from '@tidemark/wire/reading/row'
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

  it('has the deploy that was recorded later above another of its time, as the service has', () => {
    const first = deploy('dep_019a83c5-0001-7fff-bfff-ffffffffffff', '2026-11-15T00:00:01Z')
    const second = deploy('dep_019a83c5-0002-7000-8000-000000000000', '2026-11-15T00:00:01Z')
    expect(mergeRows([first], [second])).toEqual([second, first])
    expect(mergeRows([second], [first])).toEqual([second, first])
  })
})
