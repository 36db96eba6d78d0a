import { type Config, loadConfig } from '@tidemark/server/config'
import type { Looker, Operator } from '@tidemark/server/operator'
import { note } from '../output.ts'

/** For one command that changes something in the control store of the current configuration. `create` makes a missing store. */
export function withOperator<T>(work: (operator: Operator) => Promise<T>, options?: { create: boolean }): Promise<T> {
  return opened(async (config) => (await import('@tidemark/server/operator')).openOperator(config, options), work)
}

/** For commands whose output is used with a running service: without a service, another folder was probably meant. */
export function noteUnused({ unused }: Operator): void {
  if (unused === undefined) return
  const { folder, isNew } = unused
  const state = isNew ? 'was empty: a new store was made in it, and no service runs on it' : 'has no running service'
  note(`The data folder ${folder} ${state}. If your service uses another one, set TIDEMARK_DATA_DIR to that.`)
}

/** For one command that only looks: it makes and upgrades nothing. */
export function withLooker<T>(work: (looker: Looker) => Promise<T>): Promise<T> {
  return opened(async (config) => (await import('@tidemark/server/operator')).openLooker(config), work)
}

async function opened<Store extends { close(): Promise<void> }, T>(
  open: (config: Config) => Promise<Store>,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await open(loadConfig())
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
