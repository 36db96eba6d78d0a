import type { DeployRow } from '@tidemark/wire/reading/row'
import { describe, expect, it } from 'vitest'
import { deployMarks } from './deploy-marks.ts'

const WINDOW = { from: '2026-11-15T00:00:00Z', to: '2026-11-16T00:00:00Z' }
const at = (...clocks: string[]) => clocks.map((clock) => ({ timestamp: `2026-11-15T${clock}Z` }) as DeployRow)
const marks = (deploys: DeployRow[]) => deployMarks(deploys, { window: WINDOW, trendSeconds: 3_600 })

describe('the deploys above a trend', () => {
  it('are where they were in the window, one for each slice', () => {
    expect(marks(at('06:00:00', '12:00:00', '12:30:00'))).toEqual([0.25, expect.closeTo(12.5 / 24)])
  })

  it('leave out those of another time', () => {
    expect(marks([{ timestamp: '2026-11-14T23:59:59Z' } as DeployRow])).toEqual([])
  })

  it('are not drawn where they could not be told apart', () => {
    const hours = Array.from({ length: 13 }, (_, hour) => `${String(hour).padStart(2, '0')}:00:00`)
    expect(marks(at(...hours.slice(1)))).toHaveLength(12)
    expect(marks(at(...hours))).toEqual([])
  })
})
