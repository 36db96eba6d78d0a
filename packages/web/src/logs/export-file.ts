/** Fetches an export as it is written, so that its progress can be shown, and gives it to the browser as a file. */
import { answerTo, heard } from '../api/request.ts'

export type ExportProgress = { done: number; total: number; leftOut: number }
export type ExportFormat = 'ndjson' | 'csv'

/** Chunks are stored in parts of this size; the browser may keep those on disk. */
const PART_BYTES = 8 * 1024 * 1024
const SAID_EVERY_MS = 100

export async function saveExport(
  address: string,
  {
    format,
    signal,
    onProgress,
  }: { format: ExportFormat; signal: AbortSignal; onProgress: (at: ExportProgress) => void },
): Promise<ExportProgress> {
  const response = await answerTo(address, { signal })
  const header = (name: string) => Number(response.headers.get(name) ?? 0)
  const progress = { done: 0, total: header('X-Tidemark-Records'), leftOut: header('X-Tidemark-Left-Out') }
  const count = recordCounter(format)
  const parts: Blob[] = []
  let pieces: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  let saidMs = 0
  for (const reader = response.body!.getReader(); ; ) {
    const { value, done } = await heard(reader.read())
    if (done) break
    progress.done += count(value)
    pieces.push(value)
    bytes += value.length
    if (bytes >= PART_BYTES) {
      parts.push(new Blob(pieces))
      pieces = []
      bytes = 0
    }
    if (performance.now() - saidMs > SAID_EVERY_MS) {
      saidMs = performance.now()
      onProgress({ ...progress })
    }
  }
  save(new Blob([...parts, ...pieces]), response.headers.get('Content-Disposition') ?? '', format)
  return progress
}

const QUOTE = 34
const NEWLINE = 10

/** Counts records chunk by chunk. In CSV a record may span lines inside quotes, and the first line is the header. */
export function recordCounter(format: ExportFormat): (piece: Uint8Array) => number {
  let isQuoted = false
  let isHeader = format === 'csv'
  return (piece) => {
    let records = 0
    for (const byte of piece) {
      if (byte === QUOTE && format === 'csv') isQuoted = !isQuoted
      if (byte !== NEWLINE || isQuoted) continue
      if (isHeader) isHeader = false
      else records++
    }
    return records
  }
}

function save(file: Blob, disposition: string, format: ExportFormat): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = /filename="([^"]+)"/.exec(disposition)?.[1] ?? `tidemark-logs.${format}`
  link.click()
  // Not at once: the browser reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
