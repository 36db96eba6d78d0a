/** The SDK in Node. Sockets and timers keep no process alive; what waits is sent when the process ends. */
import { randomFillSync } from 'node:crypto'
import { writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { format, promisify } from 'node:util'
import { isMainThread } from 'node:worker_threads'
import { constants, gzip } from 'node:zlib'
import type { Platform } from '../platform.ts'
import { nodeContexts } from './contexts.ts'
import { watchEndOfProcess } from './end-of-process.ts'
import { post } from './post.ts'
import { watchProcessErrors } from './process-errors.ts'

export const LOCAL_SERVICE = 'http://localhost:4700'

const gzipInThreadPool = promisify(gzip)

export function nodePlatform(): Platform {
  return {
    env: (name) => process.env[name],
    defaultUrl: LOCAL_SERVICE,
    host: hostname() || undefined,
    numbers: {},
    post,
    gzip: (bytes) => gzipInThreadPool(bytes, { level: constants.Z_BEST_SPEED }),
    now: () => Date.now(),
    after(delayMs, run) {
      const timer = setTimeout(run, delayMs).unref()
      return () => clearTimeout(timer)
    },
    hold() {
      const timer = setInterval(() => {}, 60_000)
      return () => clearInterval(timer)
    },
    randomBytes: nodeRandomBytes,
    warn,
    contexts: nodeContexts(),
    format: (values) => format(...values),
    watchErrors: watchProcessErrors,
    watchEnd: watchEndOfProcess,
  }
}

export function nodeRandomBytes(count: number): Uint8Array {
  return randomFillSync(new Uint8Array(count))
}

/** Not through the console, which may be captured. A worker's stderr passes through the main thread, which may be gone. */
function warn(text: string): void {
  try {
    if (isMainThread) process.stderr.write(`${text}\n`)
    else writeSync(2, `${text}\n`)
  } catch {
    // Nobody is left to report to.
  }
}
