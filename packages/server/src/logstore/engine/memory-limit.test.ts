import { describe, expect, it } from 'vitest'
import { maxSegmentBytes, memoryBudget, memoryLimitBytes } from './memory-limit.ts'

const MACHINE = 16e9

function limitWith(files: Record<string, string>): number {
  return memoryLimitBytes((path) => {
    const text = files[path]
    if (text === undefined) throw new Error('ENOENT')
    return text
  }, MACHINE)
}

describe('the memory limit', () => {
  it('is the machine where no control group says less', () => {
    expect(limitWith({})).toBe(MACHINE)
    expect(limitWith({ '/sys/fs/cgroup/memory.max': 'max\n' })).toBe(MACHINE)
    expect(limitWith({ '/sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n' })).toBe(MACHINE)
  })

  it('is what a container may use, in both versions of control groups', () => {
    expect(limitWith({ '/sys/fs/cgroup/memory.max': '700000000\n' })).toBe(700e6)
    expect(limitWith({ '/sys/fs/cgroup/memory/memory.limit_in_bytes': '700000000\n' })).toBe(700e6)
  })

  it('is the strictest of the groups above the process', () => {
    const files = {
      '/proc/self/cgroup': '0::/system.slice/tidemark.service\n',
      '/sys/fs/cgroup/system.slice/memory.max': '2000000000\n',
      '/sys/fs/cgroup/system.slice/tidemark.service/memory.max': 'max\n',
    }
    expect(limitWith(files)).toBe(2e9)
    const old = {
      '/proc/self/cgroup': '5:cpu:/x\n4:cpuset,memory:/box\n',
      '/sys/fs/cgroup/memory/box/memory.limit_in_bytes': '1000000000\n',
    }
    expect(limitWith(old)).toBe(1e9)
  })

  it('leaves room beside the engine, and for more than one query', () => {
    expect(memoryBudget(1e9)).toEqual({ engineBytes: 600e6, queryBytes: 240e6 })
  })
})

describe('the largest segment', () => {
  it.each([
    [0.25e9, 1, 16],
    [1e9, 1, 28],
    [2e9, 1, 57],
    [24e9, 1, 96],
    [24e9, 5, 16],
  ])('of an engine with %d bytes of memory and slowdown %i is %i MiB', (bytes, slowdown, mebibytes) => {
    expect(Math.floor(maxSegmentBytes(memoryBudget(bytes), slowdown) / 1024 / 1024)).toBe(mebibytes)
  })
})
