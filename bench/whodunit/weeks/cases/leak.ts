import type { Commit } from '../../../../packages/demo/src/shop/repository/repository.ts'
import { HOUR_MS, MINUTE_MS } from '../../../../packages/wire/src/time/units.ts'
import type { Fault } from '../code/faults.ts'
import { pathIn } from '../code/functions.ts'
import { breakLimit, hasBrokenLimit, mendLimit } from '../history/faulty-changes.ts'
import { servedAt, timesIn } from '../records/failing.ts'
import { gaugesUntil } from '../records/gauges.ts'
import { heapOf, outOfMemory } from '../records/heap.ts'
import { hostCount } from '../running.ts'
import { noDeploy, type Teller } from './case.ts'

const KEEPS: Fault = {
  type: '',
  message: () => '',
  expression: ({ key, language }) =>
    language === 'python'
      ? `keep_all("${key}", ${key}_rows)`
      : `keepAll("${key}", ${key}Rows)${language === 'java' ? ';' : ''}`,
}

/** Hours after a deploy that keeps what it should let go, memory is full; each host is started again, and fills again. */
const leakOfCode: Teller = (story, nth) => {
  const { random } = story
  const of = story.take(({ language }) => language === (nth === 0 ? 'go' : 'java'))
  const change = { ...breakLimit(random, of, KEEPS), message: `Keep the ${of.module} that were read\n` }
  const { deploy, guilty: commit } = story.ship({
    atMs: story.at(0.05),
    innocent: random.between(3, 6),
    guilty: change,
  })
  if (random.chance(0.7)) story.ship({ atMs: story.at(0.2 + random.next() * 0.1) })
  const toMs = story.at(0.93)
  story.later(mendLimit(random, of))
  story.ship({ atMs: toMs, innocent: random.between(0, 2) })
  const fillsInMs = (5 + random.next() * 5) * HOUR_MS
  const leaks = ({ files }: Commit) => hasBrokenLimit(files, of, KEEPS)
  return [
    {
      kind: 'leak',
      title: `${of.service} runs out of memory`,
      of,
      environment: 'production',
      cause: {
        kinds: ['deploy', 'commit'],
        deploy,
        commit,
        file: commit && pathIn(commit.files, of),
        because: 'The deploy keeps every row that was ever read.',
      },
      records: (scene, dice) => heapOf(scene, dice, { of, fromMs: deploy.atMs, toMs, fillsInMs, leaks }),
    },
  ]
}

/** Something else on the machine takes the memory. The heap of the service is as small as ever. */
const leakOfMachine: Teller = (story, nth) => {
  const { random } = story
  const of = story.take(({ language }) => language === (nth === 2 ? 'javascript' : 'python'))
  const toMs = story.at(0.9)
  const fromMs = story.at(0.7)
  story.ship({ atMs: fromMs - (nth === 2 ? 6 : 250) * MINUTE_MS })
  const host = random.below(hostCount('production', of.service))
  return [
    {
      kind: 'leak',
      title: `${of.service} is out of memory on one host`,
      of,
      environment: 'production',
      cause: noDeploy(['environment', 'load', 'unknown'], 'The backup of the machine took its memory.'),
      records: (scene, dice) => [
        ...heapOf(scene, dice, { of, fromMs: story.at(0), toMs, fillsInMs: HOUR_MS, leaks: () => false }),
        ...gaugesUntil(scene, dice, fromMs, { service: of.service, host, logger: 'node.memory', says: scarcer }),
        ...outOfMemory(scene, dice, of, timesIn(dice, { fromMs, toMs }, 0.06), host),
        ...servedAt(scene, dice, timesIn(dice, { fromMs: story.at(0), toMs: story.at(1) }, 0.15), {
          of,
          environment: 'production',
        }),
      ],
    },
  ]
}

function scarcer(nth: number) {
  const free = 60 + nth * nth * 40
  const level = free < 500 ? 'warn' : 'info'
  return { level, message: `memory: ${free} MiB available`, attributes: { memory: { available_mib: free } } } as const
}

export const leak: Teller = (story, nth) => (nth < 2 ? leakOfCode(story, nth) : leakOfMachine(story, nth))
