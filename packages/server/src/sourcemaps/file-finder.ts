/** Finds the files of a release that frames mean. Only those are asked for: a release may have many more. */
import type { MappedFile, SourceMaps } from '../control/source-maps.ts'
import { fileName, pathsOf } from './mapped-file.ts'

type Store = Pick<SourceMaps, 'filesAt' | 'filesNamed'>

/** For one release, which is asked once for each file. */
export class FileFinder {
  readonly #store: Store
  readonly #projectId: string
  readonly #release: string
  /** By the file of a frame, and by the name of one. Null for what there is none of, or several. */
  readonly #byFrame = new Map<string, MappedFile | null>()
  readonly #byName = new Map<string, MappedFile | null>()

  constructor(store: Store, projectId: string, release: string) {
    this.#store = store
    this.#projectId = projectId
    this.#release = release
  }

  /** `take` says of a file that was not looked up yet whether it may be. */
  async find(frameFiles: readonly string[], take: () => boolean): Promise<Map<string, MappedFile | null>> {
    const unknown = [...new Set(frameFiles)].filter((file) => !this.#byFrame.has(file) && take())
    if (unknown.length > 0) await this.#look(new Map(unknown.map((file) => [file, pathsOf(file)])))
    return this.#byFrame
  }

  async #look(pathsByFrame: ReadonlyMap<string, string[]>): Promise<void> {
    const paths = [...new Set([...pathsByFrame.values()].flat())]
    const files = await this.#store.filesAt(this.#projectId, this.#release, paths)
    const byPath = new Map(files.map((one) => [one.file, one]))
    const atPath = (of: readonly string[]) => byPath.get(of.find((path) => byPath.has(path)) ?? '')
    const rest = [...pathsByFrame.values()].filter((of) => of.length > 0 && atPath(of) === undefined)
    await this.#lookForNames(rest.map((of) => fileName(of[0]!)))
    for (const [frame, of] of pathsByFrame)
      this.#byFrame.set(frame, atPath(of) ?? this.#byName.get(fileName(of[0] ?? '')) ?? null)
  }

  async #lookForNames(names: readonly string[]): Promise<void> {
    const unknown = [...new Set(names)].filter((name) => !this.#byName.has(name))
    if (unknown.length === 0) return
    const files = await this.#store.filesNamed(this.#projectId, this.#release, unknown)
    for (const name of unknown) {
      const [only, ...others] = files.filter(({ file }) => fileName(file) === name)
      this.#byName.set(name, only && others.length === 0 ? only : null)
    }
  }
}
