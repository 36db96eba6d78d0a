import { AppError } from '../errors.ts'

/** The types a query's values are bound with. */
export type ParamType = 'String' | 'Array(String)' | 'Float64' | 'Int8' | 'Int64' | 'UInt64'

/** Gives every value a name of its own and the placeholder that stands for it. */
export class QueryParams {
  readonly values: Record<string, unknown> = {}
  readonly #prefix: string
  #count = 0

  constructor(prefix: string) {
    if (!/^[a-z][a-z_]{0,19}$/.test(prefix))
      throw new AppError('internal', `"${prefix}" cannot begin a parameter's name.`)
    this.#prefix = prefix
  }

  add(type: ParamType, value: string | number | readonly string[]): string {
    const name = `${this.#prefix}${this.#count++}`
    this.values[name] = value
    return `{${name}:${type}}`
  }
}
