/** How a command ends, besides 0. `docs/cli.md` has the same table for those who write scripts. */
export const EXIT_CODES = {
  /** What was asked could not be done, or not all of it. */
  failed: 1,
  /** It was done, and the deploy is judged worse than `--fail-on` allows. */
  accused: 3,
  /** Ctrl-C ended it before the end, as shells count it. */
  stopped: 130,
} as const
