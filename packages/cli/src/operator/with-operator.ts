import { loadConfig } from '@tidemark/server/config'
import type { Operator } from '@tidemark/server/operator'

/** Opens the control store of the current configuration for one command. */
export async function withOperator<T>(work: (operator: Operator) => Promise<T>): Promise<T> {
  const config = loadConfig()
  const { openOperator } = await import('@tidemark/server/operator')
  const operator = await openOperator(config)
  try {
    return await work(operator)
  } finally {
    await operator.close()
  }
}
