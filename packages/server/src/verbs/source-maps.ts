/** Source maps of a project. Its build sends them, with an ingest key; its people see them, its owners delete them. */
import { DEFAULT_LIMIT } from '@tidemark/wire/reading/question'
import type {
  DeletedSourceMapsAnswer,
  SourceMapAnswer,
  SourceMapFilesAnswer,
  SourceMapFilesInput,
  SourceMapInput,
  SourceMapReleasesAnswer,
  SourceMapReleasesInput,
} from '@tidemark/wire/source-maps'
import { atMost } from '../at-most.ts'
import type { Control } from '../control/open.ts'
import { AppError, internalError } from '../errors.ts'
import type { Caller, KeyCaller } from '../model/caller.ts'
import { MapUploadSlots } from '../sourcemaps/map-upload-slots.ts'
import { mappedFile } from '../sourcemaps/mapped-file.ts'
import { type ReadTask, readInThread } from '../sourcemaps/read-in-thread.ts'
import { TokenBuckets } from '../token-buckets.ts'
import { type ControlParts, changeBy, requireManager } from './access.ts'

/** Per ingest key. */
export const SOURCE_MAP_RATE = { perSecond: 20, burst: 500 }

type UploadParts = { control: Pick<Control, 'sourceMaps'>; now: () => number }

export type SourceMapUploads = {
  /** Before the body is read. What it returns must be called once the answer is given, or nobody waits for it. */
  begin(caller: KeyCaller): () => void
  upload(caller: KeyCaller, input: SourceMapInput & ReadTask): Promise<SourceMapAnswer>
}

export function openSourceMapUploads(parts: UploadParts): SourceMapUploads {
  const slots = new MapUploadSlots()
  const rates = new TokenBuckets()
  // One thread at a time: the others of the machine are for records.
  const inLine = atMost(1)
  return {
    begin({ keyId }) {
      const waitMs = rates.take(keyId, 1, SOURCE_MAP_RATE, parts.now())
      if (waitMs > 0) {
        throw new AppError(
          'rate_limited',
          'Too many source maps in a short time: send this one again after the time in Retry-After.',
          { retryAfterSeconds: waitMs / 1_000 },
        )
      }
      return slots.take(keyId)
    },

    async upload(caller, { release, file: given, ...task }) {
      const file = mappedFile(given)
      if (file === '') {
        const message = 'names no file: send the path of the generated file below the build folder, without `..`'
        throw new AppError('invalid_request', `\`file\` ${message}.`, { fields: [{ path: 'file', message }] })
      }
      const { digest, content } = await inLine(() => readInThread(task)).catch((error) => {
        throw error instanceof AppError ? error : internalError(error)
      })
      const map = { release, file, digest, content }
      const result = await parts.control.sourceMaps.put(caller.project.id, map, changeBy(parts, caller))
      return { result, release, file, sources: content.sources, mappings: content.mappings }
    },
  }
}

type InProject = { project: string }

export async function listSourceMaps(
  parts: ControlParts,
  caller: Caller,
  { project, after = '', limit = DEFAULT_LIMIT }: InProject & SourceMapReleasesInput,
): Promise<SourceMapReleasesAnswer> {
  const { id } = await requireManager(parts, caller, { project, least: 'viewer' })
  const found = await parts.control.sourceMaps.listReleases(id, { after, limit: limit + 1 })
  const releases = found.slice(0, limit)
  return { releases, nextAfter: found.length > limit ? (releases.at(-1)?.release ?? null) : null }
}

export async function listSourceMapFiles(
  parts: ControlParts,
  caller: Caller,
  { project, release, after = '', limit = DEFAULT_LIMIT }: InProject & SourceMapFilesInput,
): Promise<SourceMapFilesAnswer> {
  const { id } = await requireManager(parts, caller, { project, least: 'viewer' })
  const found = await parts.control.sourceMaps.listFiles(id, release, { after, limit: limit + 1 })
  const files = found.slice(0, limit)
  return { files, nextAfter: found.length > limit ? (files.at(-1)?.file ?? null) : null }
}

export async function deleteSourceMaps(
  parts: ControlParts,
  caller: Caller,
  { project, release }: InProject & { release: string },
): Promise<DeletedSourceMapsAnswer> {
  const { id } = await requireManager(parts, caller, { project, least: 'owner' })
  const files = await parts.control.sourceMaps.remove(id, release, changeBy(parts, caller))
  if (files > 0) return { release, files }
  throw new AppError('not_found', 'No source maps of that release are stored. List the releases to find one.')
}
