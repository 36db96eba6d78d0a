import { AppError } from '../errors.ts'

const UNSTORABLE = /\0|\p{Surrogate}/u

/**
 * The last wall, below the doors that refuse such text with the field's name. SQLite's driver would cut a text at its
 * first NUL, PostgreSQL refuses it, and both would turn half of a surrogate pair into another character.
 */
export function assertStorable(parameters: readonly unknown[]): void {
  for (const value of parameters) {
    if (typeof value === 'string' && UNSTORABLE.test(value)) {
      throw new AppError(
        'invalid_request',
        'The text holds a NUL character or half of a surrogate pair, which cannot be stored. Remove it and send again.',
      )
    }
  }
}
