/** How many uploads without an end may be read at the same time: in all, per project and per key. */

import { UploadSlots } from '../../bytes/upload-slots.ts'
import { AppError } from '../../errors.ts'
import { JOURNAL_UPLOAD_LIMITS } from '../../ingest/limits.ts'
import type { KeyCaller } from '../../model/caller.ts'

export type JournalSlot = {
  /** What is in memory of this upload now, in all. */
  hold(bytes: number): void
  release(): void
}

export class JournalSlots {
  readonly #slots = new UploadSlots()
  readonly #limits: typeof JOURNAL_UPLOAD_LIMITS

  constructor(limits = JOURNAL_UPLOAD_LIMITS) {
    this.#limits = limits
  }

  take({ keyId, project }: Pick<KeyCaller, 'keyId' | 'project'>): JournalSlot {
    const { all, project: ofProject, key } = this.#limits
    const slot = this.#slots.take([
      { name: `key ${keyId}`, ...key, full: tooManyOf('key', key.uploads) },
      { name: `project ${project.id}`, ...ofProject, full: tooManyOf('project', ofProject.uploads) },
      { name: 'all', ...all, full: new AppError('unavailable', 'Too many journals are being uploaded: try again.') },
    ])
    const hold = (bytes: number) => {
      if (slot.hold(bytes)) return
      throw new AppError('unavailable', 'There is no room for more journals at once: send the rest again shortly.')
    }
    return { hold, release: slot.release }
  }
}

function tooManyOf(whose: string, uploads: number): AppError {
  return new AppError(
    'rate_limited',
    `This ${whose} is already uploading ${uploads} journals: wait until one of them has ended.`,
    { retryAfterSeconds: 10 },
  )
}
