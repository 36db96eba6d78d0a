/**
 * How much memory this process may use. The engine looks at the machine and not at the control group it lives in, and
 * the kernel would then kill it in the middle of a query that it could have refused.
 */
import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'

/** The rest is for our own process, the page cache and what the engine does not count. */
const ENGINE_SHARE = 0.6
/** One query may take this share of the engine's. */
const QUERY_SHARE = 0.4

const MIB = 1024 * 1024
/** A load was seen to take 128 MB and 2.4 times its segment; at this many times both fit into what a query may take. */
const SEGMENTS_IN_A_QUERY = 8
/** Larger ones hardly save the engine more merging, and are found later. */
export const LARGEST_SEGMENT_BYTES = 96 * MIB
export const SMALLEST_SEGMENT_BYTES = 16 * MIB

export type MemoryBudget = { engineBytes: number; queryBytes: number }

export function memoryBudget(limitBytes: number = memoryLimitBytes()): MemoryBudget {
  const engineBytes = Math.floor(limitBytes * ENGINE_SHARE)
  return { engineBytes, queryBytes: Math.floor(engineBytes * QUERY_SHARE) }
}

/** The largest segment to load at once. An engine that is slow by nature takes it in small pieces. */
export function maxSegmentBytes({ queryBytes }: MemoryBudget, slowdown: number): number {
  if (slowdown > 1) return SMALLEST_SEGMENT_BYTES
  const fitting = Math.floor(queryBytes / SEGMENTS_IN_A_QUERY)
  return Math.min(Math.max(fitting, SMALLEST_SEGMENT_BYTES), LARGEST_SEGMENT_BYTES)
}

export function memoryLimitBytes(readText: (path: string) => string = readFile, machineBytes = totalmem()): number {
  const limits = groupFolders(attempt(readText, '/proc/self/cgroup')).flatMap(({ folder, file }) => {
    const bytes = Number(attempt(readText, `${folder}/${file}`).trim() || Number.NaN)
    return Number.isFinite(bytes) && bytes > 0 ? [bytes] : []
  })
  return Math.min(machineBytes, ...limits)
}

/** A container sees its own group at the root, a service its path below it; the strictest of all parents counts. */
function groupFolders(groups: string): { folder: string; file: string }[] {
  const own = groups.split('\n').flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    if (path === undefined) return []
    if (controllers === '') return parents('/sys/fs/cgroup', path, 'memory.max')
    return controllers?.split(',').includes('memory')
      ? parents('/sys/fs/cgroup/memory', path, 'memory.limit_in_bytes')
      : []
  })
  return [
    ...own,
    { folder: '/sys/fs/cgroup', file: 'memory.max' },
    { folder: '/sys/fs/cgroup/memory', file: 'memory.limit_in_bytes' },
  ]
}

function parents(root: string, path: string, file: string): { folder: string; file: string }[] {
  const names = path.split('/').filter((name) => name !== '')
  return names.map((_, index) => ({ folder: [root, ...names.slice(0, index + 1)].join('/'), file }))
}

function attempt(readText: (path: string) => string, path: string): string {
  try {
    return readText(path)
  } catch {
    return ''
  }
}

function readFile(path: string): string {
  return readFileSync(path, 'utf8')
}
