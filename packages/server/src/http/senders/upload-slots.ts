/**
 * How many bodies without an end there are at once, and how much of them is in memory: of all, of a project and of a key,
 * so that nobody keeps the others out.
 */
import { AppError } from '../../errors.ts'
import { UPLOAD_LIMITS } from '../../ingest/limits.ts'
import type { KeyCaller } from '../../model/caller.ts'

export type UploadSlot = {
  /** What is in memory of this upload now, in all. */
  hold(bytes: number): void
  release(): void
}

type Use = { uploads: number; bytes: number }

export class UploadSlots {
  readonly #limits: Record<keyof typeof UPLOAD_LIMITS, Use>
  readonly #uses = new Map<string, Use>()

  constructor(limits: Record<keyof typeof UPLOAD_LIMITS, Use> = UPLOAD_LIMITS) {
    this.#limits = limits
  }

  take({ keyId, project }: Pick<KeyCaller, 'keyId' | 'project'>): UploadSlot {
    const { all, project: ofProject, key } = this.#limits
    const shares = [
      { name: `key ${keyId}`, max: key, full: tooManyOf('key', key) },
      { name: `project ${project.id}`, max: ofProject, full: tooManyOf('project', ofProject) },
      { name: 'all', max: all, full: new AppError('unavailable', 'Too many journals are being uploaded: try again.') },
    ]
    for (const { name, max, full } of shares) if ((this.#uses.get(name)?.uploads ?? 0) >= max.uploads) throw full
    let heldBytes = 0
    const change = (uploads: number, bytes: number) => {
      heldBytes += bytes
      for (const { name } of shares) this.#change(name, uploads, bytes)
    }
    change(1, 0)
    return {
      hold: (bytes) => {
        change(0, bytes - heldBytes)
        if (shares.every(({ name, max }) => this.#uses.get(name)!.bytes <= max.bytes)) return
        throw new AppError('unavailable', 'There is no room for more journals at once: send the rest again shortly.')
      },
      release: () => change(-1, -heldBytes),
    }
  }

  #change(name: string, uploads: number, bytes: number): void {
    const use = this.#uses.get(name) ?? { uploads: 0, bytes: 0 }
    use.uploads += uploads
    use.bytes += bytes
    if (use.uploads === 0) this.#uses.delete(name)
    else this.#uses.set(name, use)
  }
}

function tooManyOf(whose: string, { uploads }: Use): AppError {
  return new AppError(
    'rate_limited',
    `This ${whose} uploads ${uploads} journals already: wait until one of them has ended.`,
    { retryAfterSeconds: 10 },
  )
}
