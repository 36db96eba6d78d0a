import { AppError } from '../../errors.ts'
import { isStorable } from '../../model/storable-text.ts'

/** The last wall, below the doors that refuse such text with the field's name. */
export function assertStorable(parameters: readonly unknown[]): void {
  for (const value of parameters) {
    if (typeof value === 'string' && !isStorable(value)) {
      throw new AppError(
        'invalid_request',
        'The text holds a NUL character or half of a surrogate pair, which cannot be stored. Remove it and send again.',
      )
    }
  }
}
