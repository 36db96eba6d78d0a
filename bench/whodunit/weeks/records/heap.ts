/** What hosts say of their memory, and what they say when there is none left. */

import type { Random } from '../../../../packages/demo/src/shop/random.ts'
import type { Commit } from '../../../../packages/demo/src/shop/repository/repository.ts'
import type { ShopRecord } from '../../../../packages/demo/src/shop/shop-record.ts'
import type { Language } from '../../../../packages/demo/src/shop/stack-text.ts'
import { HOUR_MS, MINUTE_MS } from '../../../../packages/wire/src/time/units.ts'
import type { ShopFunction } from '../code/functions.ts'
import { hostCount } from '../running.ts'
import { failuresAt } from './failing.ts'
import { recordAt, type Scene } from './scene.ts'
import { traceIn } from './traces.ts'

const FULL_MIB = 2_048
const EMPTY_MIB = 240
const LOOK_EVERY_MS = 25 * MINUTE_MS

const OUT_OF_MEMORY: Record<Language, readonly [type: string, message: string]> = {
  javascript: ['', 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory'],
  java: ['java.lang.OutOfMemoryError', 'Java heap space'],
  python: ['MemoryError', 'Unable to allocate 64.0 MiB'],
  go: ['fatal error', 'runtime: out of memory'],
}
type Filling = {
  of: ShopFunction
  fromMs: number
  toMs: number
  fillsInMs: number
  leaks(commit: Commit): boolean
}

/** What each host says of its heap every now and then, from a day before. */
export function heapOf(scene: Scene, random: Random, { of, fromMs, toMs, fillsInMs, leaks }: Filling): ShopRecord[] {
  const { service } = of
  return Array.from({ length: hostCount('production', service) }, (_, host) => host).flatMap((host) => {
    const records: ShopRecord[] = []
    let heap = EMPTY_MIB + random.below(40)
    for (let timeMs = fromMs - 24 * HOUR_MS; timeMs < Math.min(toMs, scene.nowMs); timeMs += LOOK_EVERY_MS) {
      if (timeMs < scene.openedMs) continue
      const isLeaking = leaks(scene.running.commitOn('production', service, host, timeMs))
      heap = isLeaking ? heap + ((FULL_MIB - EMPTY_MIB) * LOOK_EVERY_MS) / fillsInMs : EMPTY_MIB + random.below(40)
      if (heap >= FULL_MIB) {
        records.push(...outOfMemory(scene, random, of, [timeMs + random.below(60_000)], host))
        heap = EMPTY_MIB
      }
      records.push(heapLine(scene, random, { of, host, timeMs: timeMs + random.below(90_000), heap: Math.round(heap) }))
    }
    return records
  })
}

function heapLine(
  scene: Scene,
  random: Random,
  { of, host, timeMs, heap }: { of: ShopFunction; host: number; timeMs: number; heap: number },
): ShopRecord {
  return recordAt(scene, random, {
    timeMs,
    level: heap > 1_700 ? 'warn' : 'info',
    service: of.service,
    environment: 'production',
    host,
    message: `heap ${heap} MiB of ${FULL_MIB} MiB`,
    logger: `${of.service}.runtime`,
    attributes: { heap_mib: heap },
  })
}

export function outOfMemory(
  scene: Scene,
  random: Random,
  of: ShopFunction,
  times: number[],
  host: number,
): ShopRecord[] {
  const [type, message] = OUT_OF_MEMORY[of.language]
  const trace = type === '' ? {} : { trace: traceIn(of, { type, message, line: 'limit' }) }
  return failuresAt(scene, random, times, { of, environment: 'production', level: 'fatal', host, message, ...trace })
}
