import { MINUTE_MS } from '@tidemark/wire/time/units'
import type { Random } from '../random.ts'
import { newRequest, recordOf } from '../request.ts'
import { deployOf, type World } from '../world.ts'
import { failures, type Incident } from './incident.ts'

const FEED = 'services/worker/internal/feed/parse.go'
const SYLLABLES = ['ka', 'lo', 'mi', 'ren', 'sto', 'vel', 'dor', 'qui', 'zan', 'peth', 'rum', 'gli'] as const

/** Every message differs, because the deploy puts the row of a supplier's feed into it. */
export const feedFlood: Incident = {
  name: 'feed-flood',
  kind: 'flood',
  title: 'Hundreds of different errors from the feed',
  environment: 'production',
  service: 'worker',
  span: (world) => {
    const fromMs = deployOf(world, 'log-feed-rows').atMs + 8 * MINUTE_MS
    return { fromMs, toMs: fromMs + 22 * MINUTE_MS }
  },
  records: (world: World, random) =>
    failures(random, { ...feedFlood.span(world), perMinute: 40 }, (timeMs) => [
      recordOf(newRequest(world, random, timeMs), {
        timeMs,
        level: 'error',
        service: 'worker',
        logger: 'worker.feed',
        message: `cannot read feed row: ${feedRow(random)}`,
        attributes: { queue: 'feed', supplier: 'northwind' },
      }),
    ]),
  cause: (world) => ({
    deploy: deployOf(world, 'log-feed-rows'),
    commit: 'log-feed-rows',
    place: { path: FEED, code: 'slog.Error("cannot read feed row: " + row)' },
    because: 'The deploy writes the whole row into the message of an error, so that no two messages are alike.',
  }),
}

function feedRow(random: Random): string {
  const word = () => Array.from({ length: random.between(2, 4) }, () => random.pick(SYLLABLES)).join('')
  return Array.from({ length: random.between(3, 7) }, word).join(random.pick([';', ' ', '|']))
}
