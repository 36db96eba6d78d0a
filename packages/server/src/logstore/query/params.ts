import { AppError } from '../../errors.ts'
import { COLUMNS } from '../schema/columns.ts'

/** The types a query's values are bound with. */
type ParamType = 'String' | 'Array(String)' | 'Float64' | 'Int8' | 'Int64' | 'UInt64' | 'Array(UInt64)'

const REPEATING = new Set(COLUMNS.filter(({ type }) => type.startsWith('LowCardinality')).map(({ name }) => name))

/** Gives every value its own name and placeholder. */
export class QueryParams {
  readonly values: Record<string, unknown> = {}
  readonly #prefix: string
  readonly #isSliced: boolean
  readonly #slices = new Map<string, string>()
  #count = 0

  constructor(prefix: string, { isSliced = false }: { isSliced?: boolean } = {}) {
    if (!/^[a-z][a-z_]{0,19}$/.test(prefix))
      throw new AppError('internal', `"${prefix}" cannot begin a parameter's name.`)
    this.#prefix = prefix
    this.#isSliced = isSliced
  }

  add(type: ParamType, value: string | number | readonly string[] | readonly bigint[]): string {
    const name = `${this.#prefix}${this.#count++}`
    this.values[name] = value
    return `{${name}:${type}}`
  }

  /** One of our own columns for a pattern to search, under another name where it comes in slices. */
  scanned(column: string): string {
    // A pattern is tried once on each of the few different values of these.
    if (!this.#isSliced || REPEATING.has(column)) return column
    this.#slices.set(column, `sliced_${column}`)
    return `sliced_${column}`
  }

  /** What follows the table's name, so that its rows come in slices. */
  get slices(): string {
    if (this.#slices.size === 0) return ''
    return ` ARRAY JOIN ${[...this.#slices].map(([column, slice]) => `[${column}] AS ${slice}`).join(', ')}`
  }
}
