/** Milliseconds of processor time that this process spent on it: a busy machine makes it wait, but not compute more. */
export function cpuMsOf(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
