import { RETRYABLE_STATUSES } from '@tidemark/wire/retryable'

type ClientErrorOptions = { cause?: unknown; status?: number }

/** A command that could not do what was asked: `message` is a sentence for the person, `code` a word for programs. */
export class ClientError extends Error {
  readonly code: string
  /** Of the service's answer, when there was one. */
  readonly status: number | undefined

  constructor(code: string, message: string, { cause, status }: ClientErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'ClientError'
    this.code = code
    this.status = status
  }

  /** The service understood and refused: trying again changes nothing. */
  get isFinal(): boolean {
    return (
      this.status !== undefined && this.status >= 300 && this.status < 500 && !RETRYABLE_STATUSES.includes(this.status)
    )
  }
}

/** Everything that is wrong with what was typed, reported at once. */
export function refuseProblems(problems: readonly string[], what: string): void {
  if (problems.length === 0) return
  const [only = ''] = problems
  const list = problems.map((problem) => `  - ${problem}`).join('\n')
  throw new ClientError('invalid_request', problems.length === 1 ? `${what} ${only}` : `${what}\n${list}`)
}
