import type { Context } from '../context.ts'
import type { ContextStore } from '../platform.ts'

/** Pages have nothing that follows promises: a context ends when the work returns. */
export function pageContexts(): ContextStore {
  let current: Context | undefined
  return {
    get: () => current,
    run(context, work) {
      const outer = current
      current = context
      try {
        return work()
      } finally {
        current = outer
      }
    },
  }
}
