import type { TidemarkProblem } from './problem.ts'

export type ProblemReporter = {
  report(problem: TidemarkProblem): void
  /** Already reported, and not repeated for now. */
  hasSaid(code: Code): boolean
  /** A batch was accepted: an earlier problem may be reported again when it comes back. */
  clear(): void
  /** The latest, for `stats`. */
  last(): TidemarkProblem | undefined
}

export function createProblemReporter(onError: (problem: TidemarkProblem) => void, now: () => number): ProblemReporter {
  /** When a code was reported. */
  const said = new Map<Code, number>()
  let last: TidemarkProblem | undefined
  const hasSaid = (code: Code): boolean => {
    const saidAtMs = said.get(code)
    if (saidAtMs === undefined) return false
    return !RETURNING.has(code) || now() - saidAtMs < SAY_AGAIN_AFTER_MS
  }
  return {
    report(problem) {
      last = problem
      if (hasSaid(problem.code)) return
      if (problem.code !== 'bad_option') said.set(problem.code, now())
      try {
        onError(problem)
      } catch {
        // The application's own function; its trouble must not become ours.
      }
    },
    hasSaid,
    clear() {
      for (const code of said.keys()) if (!STAYING.has(code) && !RETURNING.has(code)) said.delete(code)
    },
    last: () => last,
  }
}

type Code = TidemarkProblem['code']

/** Not fixed by an accepted batch, and said for good. */
const STAYING: ReadonlySet<Code> = new Set(['no_key', 'before_send_failed', 'closed', 'internal'])

/** Comes with accepted batches. It may be another mistake the next time, so it is said again, but not with every batch. */
const RETURNING: ReadonlySet<Code> = new Set(['records_rejected'])
const SAY_AGAIN_AFTER_MS = 3_600_000
