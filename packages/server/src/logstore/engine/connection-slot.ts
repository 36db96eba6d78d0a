/**
 * One connection to the embedded engine and what is set on it. Settings and parameters stick to a connection, so what a
 * call needs is compared with what is there, and set in front of the query.
 */
import { ENGINE_CODE, EngineError, toEngineError } from './error.ts'

/** The part of chDB's session that is used here. */
export interface NativeConnection {
  queryAsync(sql: string, options: { format: string }): Promise<NativeResult>
  close(): void
}

export type NativeResult = { bytes(): Uint8Array; elapsed: number; rowsRead: number; bytesRead: number }

export type EngineCall = {
  sql: string
  params: ReadonlyMap<string, string>
  settings: ReadonlyMap<string, string>
}

const PLACEHOLDER = /\{\s*([A-Za-z_]\w*)\s*:/g

export class ConnectionSlot {
  /** Marks the queries of this connection in the engine's process list: the binding cannot set a query id. */
  readonly label: string
  readonly #open: () => NativeConnection
  readonly #base: ReadonlyMap<string, string>
  #connection: NativeConnection
  #applied = new Map<string, string>()

  constructor(label: string, open: () => NativeConnection, base: Record<string, string>) {
    this.label = label
    this.#open = open
    this.#base = new Map([...Object.entries(base), ['log_comment', label]])
    this.#connection = open()
  }

  /** One call at a time: the caller holds the slot. */
  async run(call: EngineCall): Promise<NativeResult> {
    requireParameters(call)
    const wanted = new Map([...this.#base, ...call.settings])
    const assignments = [...this.#changes(wanted), ...parameters(call)]
    const prefix = assignments.length === 0 ? '' : `SET ${assignments.join(', ')};\n`
    try {
      const result = await this.#connection.queryAsync(prefix + call.sql, { format: 'TabSeparated' })
      this.#applied = wanted
      return result
    } catch (error) {
      this.#replace()
      throw toEngineError(error)
    }
  }

  /**
   * chDB keeps the output a failed query had already made, and puts it in front of the next answer on the same
   * connection: another project's records. A connection that saw an error is never used again.
   */
  #replace(): void {
    const failed = this.#connection
    this.#connection = this.#open()
    this.#applied = new Map()
    failed.close()
  }

  #changes(wanted: ReadonlyMap<string, string>): string[] {
    const set = [...wanted].filter(([name, value]) => this.#applied.get(name) !== value)
    const forgotten = [...this.#applied.keys()].filter((name) => !wanted.has(name))
    return [...forgotten.map((name) => `${name} = DEFAULT`), ...set.map(([name, value]) => `${name} = ${quote(value)}`)]
  }
}

/** A parameter that was left out would silently keep the value of an earlier call: another project's. */
function requireParameters({ sql, params }: EngineCall): void {
  for (const [, name] of sql.matchAll(PLACEHOLDER)) {
    if (name !== undefined && !params.has(name)) {
      throw new EngineError(ENGINE_CODE.missingParameter, `Code: 456. DB::Exception: ${name} is not set.`)
    }
  }
}

function parameters({ params }: EngineCall): string[] {
  return [...params].map(([name, value]) => `param_${name} = ${quote(value)}`)
}

/** The one place where a value becomes SQL text. Control characters are escaped so that the text has no empty line. */
function quote(value: string): string {
  return `'${value.replace(/[\\'\0\n\r]/g, (character) => ESCAPES[character] ?? character)}'`
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', "'": "\\'", '\0': '\\0', '\n': '\\n', '\r': '\\r' }
