import { AppError } from '../../errors.ts'
import { checkedGivenName, nameKey } from '../given-name.ts'

/** As it is shown, and as it must be unique in its project. */
export function nameWithKey(given: string, subject: string): { name: string; nameKey: string } {
  const name = checkedGivenName(given, subject)
  return { name, nameKey: nameKey(name) }
}

export function takenName(noun: 'channel' | 'rule', name: string): AppError {
  return new AppError('conflict', `There is already a ${noun} called "${name}". Choose another name.`, {
    fields: [{ path: 'name', message: 'is taken' }],
  })
}
