/** Finds the files of a release that frames mean. Only those are asked for: a release may have many more. */
import type { MappedFile, SourceMaps } from '../control/sourcemaps/source-maps.ts'
import { fileName, pathsOf } from './mapped-file.ts'

type Store = Pick<SourceMaps, 'filesAt' | 'paths'>

/** For one release, which is asked once for each file. */
export class FileFinder {
  readonly #store: Store
  readonly #projectId: string
  readonly #release: string
  /** By the file of a frame. Null for what there is none of, or several. */
  readonly #byFrame = new Map<string, MappedFile | null>()
  #pathByName: Map<string, string | null> | undefined

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
    const byPath = await this.#filesAt([...pathsByFrame.values()].flat())
    const pathByFrame = new Map<string, string>()
    for (const [frame, paths] of pathsByFrame) {
      const path = paths.find((one) => byPath.has(one)) ?? (await this.#pathOfName(fileName(paths[0] ?? '')))
      if (path !== null) pathByFrame.set(frame, path)
    }
    const byName = await this.#filesAt([...pathByFrame.values()].filter((path) => !byPath.has(path)))
    for (const frame of pathsByFrame.keys()) {
      const path = pathByFrame.get(frame) ?? ''
      this.#byFrame.set(frame, byPath.get(path) ?? byName.get(path) ?? null)
    }
  }

  async #filesAt(paths: readonly string[]): Promise<Map<string, MappedFile>> {
    if (paths.length === 0) return new Map()
    const files = await this.#store.filesAt(this.#projectId, this.#release, [...new Set(paths)])
    return new Map(files.map((one) => [one.file, one]))
  }

  /** Asks for all paths, once, when a frame has none of them. */
  async #pathOfName(name: string): Promise<string | null> {
    if (name === '') return null
    if (this.#pathByName === undefined) {
      const byName = new Map<string, string | null>()
      for (const path of await this.#store.paths(this.#projectId, this.#release))
        byName.set(fileName(path), byName.has(fileName(path)) ? null : path)
      this.#pathByName = byName
    }
    return this.#pathByName.get(name) ?? null
  }
}
