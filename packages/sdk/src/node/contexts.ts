import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context } from '../context.ts'
import type { ContextStore } from '../platform.ts'

/** One for the process: a program may load this package both as ESM and as CommonJS, and both must share contexts. */
const PLACE = Symbol.for('tidemark.sdk.contexts')

export function nodeContexts(): ContextStore {
  const place = globalThis as { [PLACE]?: AsyncLocalStorage<Context> }
  place[PLACE] ??= new AsyncLocalStorage<Context>()
  const storage = place[PLACE]
  return { get: () => storage.getStore(), run: (context, work) => storage.run(context, work) }
}
