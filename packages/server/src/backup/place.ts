/** Where backups are kept: a folder, or a bucket of an S3 server. What is copied, and in which order, is the same for both. */
import type { Manifest, StoredFile } from './manifest.ts'

export interface BackupPlace {
  /** As an operator would name it. */
  readonly address: string
  /** The names of the complete backups, oldest first. */
  list(): Promise<string[]>
  /** Throws where there is no backup of this name, or one that cannot be understood. */
  open(name: string): Promise<KeptBackup>
  /** Nothing of it is listed before it is finished, whatever becomes of the process meanwhile. */
  begin(name: string): Promise<UnfinishedBackup>
  /** None of them is listed from then on. What other backups share with them stays. */
  remove(names: readonly string[]): Promise<void>
}

export interface KeptBackup {
  readonly name: string
  readonly address: string
  readonly manifest: Manifest
  /** How much of it takes room on this machine while it is restored. */
  readonly broughtBytes: number
  addressOf(file: StoredFile): string
  /** Reads every file. Throws, naming the first that is not there, whole and unchanged. */
  check(): Promise<void>
  /**
   * Every file, checked, before any is handed out. Copies are put into the work folder, which must not exist. `onFetched` is
   * told how far it is where that takes long.
   */
  bring(workFolder: string, onFetched?: (done: Fetched) => void): Promise<BroughtFiles>
}

export type Fetched = { bytes: number; ofBytes: number }

export interface BroughtFiles {
  /** The file in the work folder, until it is released. */
  take(file: StoredFile): Promise<string>
  release(file: StoredFile): Promise<void>
}

export interface UnfinishedBackup {
  /** Each name once. Resolves when the file is kept for good. */
  write(name: string, chunks: Chunks): Promise<StoredFile>
  /**
   * The same files as in an earlier backup, without their being read or sent again. Says whether all of them could be had:
   * what was damaged or deleted there is written anew.
   */
  takeOver(earlier: string, files: readonly StoredFile[]): Promise<boolean>
  /** They are not part of it after all: their names can be written again. */
  forget(files: readonly StoredFile[]): Promise<void>
  /** It is a backup when this resolves, and says under which address. */
  finish(manifest: Manifest): Promise<string>
  abandon(): Promise<void>
}

export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>
