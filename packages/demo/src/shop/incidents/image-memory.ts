import { HOUR_MS, MINUTE_MS } from '@tidemark/wire/time/units'
import { GO_MEMORY } from '../library-frames.ts'
import type { Random } from '../random.ts'
import { newRequest, recordOf } from '../request.ts'
import type { ShopRecord } from '../shop-record.ts'
import { deployOf, type World } from '../world.ts'
import type { Incident } from './incident.ts'

const CACHE = 'services/worker/internal/images/cache.go'
const BAD_LINE = 'c.images[keyOf(name, width)] ='
const FILLS_IN_MS = 8 * HOUR_MS
const FULL_MIB = 2_048
const EMPTY_MIB = 190
const WARN_MIB = 1_600
const LOOK_EVERY_MS = 20 * MINUTE_MS

/** Nothing happens for hours: the cache grows until the worker is out of memory, is started again, and grows again. */
export const imageMemory: Incident = {
  name: 'image-memory',
  kind: 'slow-burn',
  title: 'The worker runs out of memory',
  environment: 'production',
  service: 'worker',
  span: (world) => ({
    fromMs: deployOf(world, 'cache-resized-images').atMs,
    toMs: deployOf(world, 'bound-image-cache').atMs,
  }),
  records: (world, random) => ['worker-1', 'worker-2'].flatMap((host, at) => filling(world, random, host, at)),
  cause: (world) => ({
    deploy: deployOf(world, 'cache-resized-images'),
    commit: 'cache-resized-images',
    place: { path: CACHE, code: BAD_LINE },
    because: 'The deploy keeps every resized image in memory and never lets one go, so memory is full hours later.',
  }),
}

function filling(world: World, random: Random, host: string, at: number): ShopRecord[] {
  const { fromMs, toMs } = imageMemory.span(world)
  const records: ShopRecord[] = []
  let startedMs = fromMs
  const fillsInMs = FILLS_IN_MS + at * 40 * MINUTE_MS
  for (let timeMs = fromMs + LOOK_EVERY_MS; timeMs < toMs; timeMs += LOOK_EVERY_MS + random.below(30_000)) {
    const heap = Math.round(EMPTY_MIB + ((timeMs - startedMs) / fillsInMs) * (FULL_MIB - EMPTY_MIB))
    const isFull = heap >= FULL_MIB
    records.push(isFull ? outOfMemory(world, random, timeMs, host) : heapLine(world, random, timeMs, host, heap))
    if (isFull) startedMs = timeMs
  }
  return records
}

function heapLine(world: World, random: Random, timeMs: number, host: string, heap: number): ShopRecord {
  const line = recordOf(newRequest(world, random, timeMs), {
    timeMs,
    level: heap > WARN_MIB ? 'warn' : 'info',
    service: 'worker',
    logger: 'worker.runtime',
    message: `heap ${heap} MiB of ${FULL_MIB} MiB`,
    attributes: { heap_mib: heap },
  })
  return { ...line, host: `${host}.eu-1` }
}

function outOfMemory(world: World, random: Random, timeMs: number, host: string): ShopRecord {
  const line = recordOf(newRequest(world, random, timeMs), {
    timeMs,
    level: 'fatal',
    service: 'worker',
    logger: 'worker.runtime',
    message: 'fatal error: runtime: out of memory',
    attributes: { heap_mib: FULL_MIB, queue: 'image' },
    trace: {
      type: 'fatal error',
      message: 'runtime: out of memory',
      frames: [
        ...GO_MEMORY,
        { function: 'shop/worker/internal/images.(*Cache).Put', path: CACHE, code: BAD_LINE },
        {
          function: 'shop/worker/internal/images.Resize',
          path: 'services/worker/internal/images/resize.go',
          code: 'cache.Put(',
        },
        {
          function: 'shop/worker/internal/queue.handle',
          path: 'services/worker/internal/queue/queue.go',
          code: 'images.Resize(job.Payload)',
        },
        {
          function: 'shop/worker/internal/queue.Run',
          path: 'services/worker/internal/queue/queue.go',
          code: 'handle(job)',
        },
        { function: 'main.main', path: 'services/worker/cmd/worker/main.go', code: 'queue.Run()' },
      ],
    },
  })
  return { ...line, host: `${host}.eu-1` }
}
