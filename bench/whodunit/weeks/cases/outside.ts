/** Cases that come from outside: nobody in the shop changed anything, and a deploy before them is innocent. */

import type { Random } from '../../../../packages/demo/src/shop/random.ts'
import type { ShopRecord } from '../../../../packages/demo/src/shop/shop-record.ts'
import type { Span } from '../../../../packages/demo/src/shop/traffic.ts'
import { MINUTE_MS } from '../../../../packages/wire/src/time/units.ts'
import type { ShopFunction } from '../code/functions.ts'
import { type TroubleName, troubleOf } from '../code/outside-troubles.ts'
import type { Failure } from '../records/failing.ts'
import type { Scene } from '../records/scene.ts'
import { traceIn } from '../records/traces.ts'
import type { Story } from '../story.ts'
import { type Case, failedMessage, innocentBefore, noDeploy, someFail, someRates, type Teller } from './case.ts'

const PEERS = [
  'api.psp.example:443',
  'orders-db.internal:5432',
  'cache-2.internal:6379',
  'search.internal:9200',
  'mail.example:587',
  'media.internal:9000',
] as const
const DOWN = ['refused', 'timeout', 'unavailable', 'unresolved'] as const

/** Something that one or several services call does not answer, and comes back by itself. */
export const outage: Teller = (story, nth) => {
  const { random } = story
  const trouble = DOWN[nth % DOWN.length] ?? 'refused'
  const peer = random.pick(PEERS)
  const functions = taken(story, nth % 2 === 0 ? random.between(2, 3) : 1)
  const span = spanOf(story, functions, [8, 95])
  const cause = noDeploy(
    trouble === 'unresolved' ? ['dependency', 'environment'] : ['dependency'],
    `${peer} was away and came back by itself.`,
  )
  return [outsideCase('outage', story, { trouble, peer, functions, span, environment: 'production', cause })]
}

export const certificate: Teller = (story) => {
  const peer = story.random.pick(PEERS)
  const functions = taken(story, 1)
  const span = spanOf(story, functions, [30, 180])
  const cause = noDeploy(['environment', 'dependency'], `The certificate of ${peer} expired and was renewed later.`)
  const trouble = 'certificate'
  return [outsideCase('certificate', story, { trouble, peer, functions, span, environment: 'production', cause })]
}

export const credentials: Teller = (story) => {
  const peer = story.random.pick(PEERS)
  const functions = taken(story, 1)
  const span = spanOf(story, functions, [25, 160])
  const cause = noDeploy(['environment', 'dependency', 'configuration'], `Somebody revoked the key for ${peer}.`)
  const trouble = 'credentials'
  return [outsideCase('credentials', story, { trouble, peer, functions, span, environment: 'production', cause })]
}

/** The same trouble in both environments at once: what they share is not a release. */
export const bothEnvironments: Teller = (story, nth) => {
  const peer = story.random.pick(PEERS)
  const functions = taken(story, 1)
  const span = spanOf(story, functions, [20, 100])
  const trouble: TroubleName = nth % 2 === 0 ? 'unavailable' : 'certificate'
  const cause = noDeploy(['dependency', 'environment'], `${peer} failed for everybody.`)
  return (['production', 'staging'] as const).map((environment) =>
    outsideCase('two-environments', story, { trouble, peer, functions, span, environment, cause }),
  )
}

function taken(story: Story, count: number): [ShopFunction, ...ShopFunction[]] {
  const first = story.take()
  const services = [first.service]
  const more = Array.from({ length: count - 1 }, () => {
    const of = story.take(({ service }) => !services.includes(service))
    services.push(of.service)
    return of
  })
  return [first, ...more]
}

/** With an innocent deploy before it, in most cases. */
function spanOf(story: Story, [of]: readonly [ShopFunction, ...ShopFunction[]], [least, most]: [number, number]): Span {
  const fromMs = story.at(0.55 + story.random.next() * 0.1)
  innocentBefore(story, fromMs, of)
  return { fromMs, toMs: fromMs + story.random.between(least, most) * MINUTE_MS }
}

type Outside = {
  trouble: TroubleName
  peer: string
  functions: readonly [ShopFunction, ...ShopFunction[]]
  environment: 'production' | 'staging'
  span: Span
  cause: Case['cause']
}

function outsideCase(kind: Case['kind'], story: Story, given: Outside): Case {
  const { trouble, peer, functions, environment, span, cause } = given
  const scenes = functions.map((of) =>
    someFail({ ...outsideFailure(of, trouble, peer), environment }, span, someRates(story)),
  )
  return {
    kind,
    title: `${functions[0].name} cannot reach ${peer}`,
    of: functions[0],
    environment,
    cause,
    records: (scene: Scene, random: Random): ShopRecord[] => scenes.flatMap((part) => part(scene, random)),
  }
}

export function outsideFailure(of: ShopFunction, name: TroubleName, who: string): Omit<Failure, 'environment'> {
  const { type, message, above } = troubleOf(name, of.language, who)
  const slow = name === 'timeout' ? ({ durationMs: [5_000, 5_200], status: 504 } as const) : { status: 502 }
  if (above === null) return { of, ...slow, message: `${failedMessage(of)}: ${message}` }
  return { of, ...slow, message: failedMessage(of), trace: traceIn(of, { type, message, line: 'rows', above }) }
}
