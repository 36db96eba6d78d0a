/** `1 error`, `1,204 errors`: for people. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : plural}`
}

/** `1 error`, `1204 errors`: for agents and for sentences that agents get, who copy numbers into queries. */
export function countedPlainly(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}
