import { type Config, loadConfig } from '@tidemark/server/config'
import type { Looker, Operator } from '@tidemark/server/operator'

/** For one command that changes something: opens the control store of the current configuration, or makes it. */
export function withOperator<T>(work: (operator: Operator) => Promise<T>): Promise<T> {
  return opened(async (config) => (await import('@tidemark/server/operator')).openOperator(config), work)
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
