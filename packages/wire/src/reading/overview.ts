/** What is wrong now, in one answer. Times are RFC 3339, UTC; all names and titles in it were chosen by senders. */
import { z } from 'zod'
import { analysisItem } from '../analyses/analysis.ts'
import { briefCause } from '../analyses/cause.ts'
import { listedDeploy } from './deploys.ts'
import { usedWindow, warning, windowInput } from './question.ts'

export const overviewInput = windowInput.pick({ environment: true, from: true, to: true })

const overviewAnalysis = analysisItem
  .pick({
    id: true,
    title: true,
    state: true,
    activity: true,
    environment: true,
    service: true,
    level: true,
    count: true,
    firstSeen: true,
    lastSeen: true,
    anchor: true,
    onset: true,
    trend: true,
    rankReason: true,
  })
  .extend({ likelyCause: briefCause })

const overviewService = z.object({
  /** Empty for the records without a service. */
  service: z.string(),
  records: z.int(),
  /** Of level error or fatal. */
  errors: z.int(),
  baseRecords: z.int(),
  baseErrors: z.int(),
  /** Errors in each slice of the window, oldest first. */
  trend: z.array(z.int()),
})

const silentService = z.object({
  service: z.string(),
  environment: z.string(),
  /** The end of the last slice of ten minutes in which it logged anything. */
  lastSeen: z.string(),
  silentSeconds: z.int(),
  /** The longest time it was silent before, in the two days that are looked at. */
  longestGapSeconds: z.int(),
})

export const overviewAnswer = z.object({
  window: usedWindow,
  /** The time just before, as long. */
  baseWindow: usedWindow,
  /** Null for all of them. */
  environment: z.string().nullable(),
  records: z.int(),
  baseRecords: z.int(),
  /** The gravest first. */
  levels: z.array(z.object({ level: z.string(), count: z.int(), baseCount: z.int() })),
  /** Those with most errors first, then with most records. */
  services: z.array(overviewService),
  /** When the first slice of a trend begins, and how long each is. */
  trendFrom: z.string(),
  trendSeconds: z.number(),
  /** How many analyses of each state there are in the window. */
  states: z.record(z.string(), z.int()),
  /**
   * Each list by rank. Of a window in the past, what began and what came back in it; otherwise what is new and what came back
   * lately, of what was seen in the window.
   */
  newAnalyses: z.array(overviewAnalysis),
  regressedAnalyses: z.array(overviewAnalysis),
  /**
   * Ongoing, and grown in the window: clearly above the time before, or half of its errors are of the newest quarter. Those
   * whose `activity` is `quiet` have stopped since: they spiked, and do not spike now.
   */
  spikingAnalyses: z.array(overviewAnalysis),
  /** How many deploys of the window have which verdict. Of very many the newest are counted, which a warning says. */
  deployVerdicts: z.record(z.string(), z.int()),
  /** The newest, also of the time before the window, and those of the window that are bad or suspect; newest first. */
  deploys: z.array(listedDeploy.omit({ windows: true })),
  /** They logged steadily and stopped; the longest silent first. */
  silentServices: z.array(silentService),
  warnings: z.array(warning),
  /** Why there are no records in the window; null when there are. */
  empty: z.string().nullable(),
})

export type OverviewInput = z.infer<typeof overviewInput>
export type OverviewAnswer = z.infer<typeof overviewAnswer>
export type OverviewAnalysis = z.infer<typeof overviewAnalysis>
export type OverviewService = z.infer<typeof overviewService>
export type SilentService = z.infer<typeof silentService>
