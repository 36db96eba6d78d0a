type ClientErrorOptions = { cause?: unknown; isFinal?: boolean }

/** A command that could not do what was asked: `message` is a sentence for the person, `code` a word for programs. */
export class ClientError extends Error {
  readonly code: string
  /** The service understood and refused: trying again changes nothing. */
  readonly isFinal: boolean

  constructor(code: string, message: string, { cause, isFinal = false }: ClientErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'ClientError'
    this.code = code
    this.isFinal = isFinal
  }
}

/** Everything that is wrong with what was typed, reported at once. */
export function refuseProblems(problems: readonly string[], what: string): void {
  if (problems.length === 0) return
  const [only = ''] = problems
  const list = problems.map((problem) => `  - ${problem}`).join('\n')
  throw new ClientError('invalid_request', problems.length === 1 ? `${what} ${only}` : `${what}\n${list}`)
}
