import type { TidemarkProblem } from './problem.ts'

export type ProblemReporter = {
  report(problem: TidemarkProblem): void
  /** Already reported, and not repeated for now. */
  hasSaid(code: TidemarkProblem['code']): boolean
  /** A batch was accepted: an earlier problem may be reported again when it comes back. */
  clear(): void
  /** The latest, for `stats`. */
  last(): TidemarkProblem | undefined
}

export function createProblemReporter(onError: (problem: TidemarkProblem) => void): ProblemReporter {
  const said = new Set<TidemarkProblem['code']>()
  let last: TidemarkProblem | undefined
  return {
    report(problem) {
      last = problem
      if (said.has(problem.code)) return
      // Wrong options are reported only once; there may be several.
      if (problem.code !== 'bad_option') said.add(problem.code)
      try {
        onError(problem)
      } catch {
        // The application's own function; its trouble must not become ours.
      }
    },
    hasSaid: (code) => said.has(code),
    clear() {
      for (const code of said) if (!STAYING.has(code)) said.delete(code)
    },
    last: () => last,
  }
}

/** Not fixed by an accepted batch. */
const STAYING = new Set<TidemarkProblem['code']>([
  'no_key',
  'before_send_failed',
  'records_rejected',
  'closed',
  'internal',
])
