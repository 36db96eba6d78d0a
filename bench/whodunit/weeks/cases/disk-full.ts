import { MINUTE_MS } from '../../../../packages/wire/src/time/units.ts'
import { gaugesUntil } from '../records/gauges.ts'
import { hostCount } from '../running.ts'
import { innocentBefore, noDeploy, someFail, someRates, type Teller } from './case.ts'
import { outsideFailure } from './outside.ts'

/** The disk of one host fills up for hours, as it says, until nothing can be written; then somebody makes room. */
export const diskFull: Teller = (story) => {
  const { random } = story
  const of = story.take()
  const { service } = of
  const fromMs = story.at(0.6)
  innocentBefore(story, fromMs, of)
  const span = { fromMs, toMs: fromMs + random.between(25, 120) * MINUTE_MS }
  const host = random.below(hostCount('production', service))
  const failure = {
    ...outsideFailure(of, 'disk', `/var/lib/${service}/${of.module}.tmp`),
    environment: 'production',
    host,
  }
  const failing = someFail(failure, span, someRates(story))
  return [
    {
      kind: 'disk-full',
      title: `${of.name} cannot write`,
      of,
      environment: 'production',
      cause: noDeploy(['environment'], `The disk of host ${host + 1} of ${service} was full.`),
      records: (scene, dice) => [
        ...gaugesUntil(scene, dice, fromMs, { service, host, logger: 'node.disk', says: fuller }),
        ...failing(scene, dice),
      ],
    },
  ]
}

function fuller(nth: number) {
  const percent = 100 - nth * 2
  const level = percent > 90 ? 'warn' : 'info'
  return { level, message: `disk /var is ${percent} % full`, attributes: { disk: { used_percent: percent } } } as const
}
