/**
 * What must happen when a test file ends, however its tests went. The files of a worker share their modules, so a hook that
 * a module sets while it is imported would run for the first file only; `setup.ts` runs these for every one.
 */
const ends: (() => unknown)[] = []

/** Once for each module that starts things. The one registered last runs first: it uses what the others started. */
export function atFileEnd(end: () => unknown): void {
  ends.unshift(end)
}

const witnesses: (() => string[])[] = []

/** Once for each module that saw something which explains a failed test better than the test can. */
export function atFailure(witness: () => string[]): void {
  witnesses.push(witness)
}

export function tellOfFailure(): void {
  for (const line of witnesses.flatMap((witness) => witness())) console.error(line)
}

/** All of them run, even after one that fails; the first failure is the file's. */
export async function endFile(): Promise<void> {
  const failures: unknown[] = []
  for (const end of ends) {
    try {
      await end()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}
