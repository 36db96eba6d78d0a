import { ClientError } from './client-error.ts'

/** All that is wrong with what was typed, told at once. */
export function refuseProblems(problems: readonly string[], what: string): void {
  if (problems.length === 0) return
  const [only = ''] = problems
  const list = problems.map((problem) => `  - ${problem}`).join('\n')
  throw new ClientError('invalid_request', problems.length === 1 ? `${what} ${only}` : `${what}\n${list}`)
}
