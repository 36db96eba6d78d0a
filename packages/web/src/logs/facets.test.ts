import { describe, expect, it } from 'vitest'
import { countShown } from './facet-values.tsx'
import { aboutCounts } from './facets.tsx'

const field = (sampled: number) => ({
  name: 'user',
  kind: 'attribute' as const,
  type: 'text' as const,
  coverage: 1,
  sampled,
  distinct: 1,
  values: [],
})

describe('the note on the counts', () => {
  it('names the records that attributes were counted in, where these are not all', () => {
    expect(aboutCounts({ fields: [field(3_048)], sampled: 3_048 }, 3_048)).not.toContain('newest')
    expect(aboutCounts({ fields: [field(81_345)], sampled: 20_000 }, 81_345)).not.toContain('newest')
    expect(aboutCounts({ fields: [field(81_345), field(20_000)], sampled: 20_000 }, 81_345)).toContain(
      'counted in the newest 20,000 records',
    )
  })
})

describe('the number of a value', () => {
  it('is exact where all records were counted', () => {
    expect(countShown(1_234, 81_345, 81_345)).toEqual({ text: '1,234', title: '1,234 records' })
    expect(countShown(12_345, 20_000, undefined)).toEqual({ text: '12.3K', title: '12,345 records' })
  })

  it('is scaled up and marked as an estimate where only the newest were', () => {
    expect(countShown(297, 20_000, 81_345)).toEqual({
      text: '≈ 1,200',
      title: 'About 1,200, estimated from the newest 20,000 of 81,345 records',
    })
  })
})
