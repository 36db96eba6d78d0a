import { AppError } from '../../errors.ts'

/** The same words whether it never was or is another project's. `path`: the field in which it was named. */
export function unknownAnalysis(path = 'id'): AppError {
  const message = 'No analysis of this project has that id. List the analyses to find one.'
  return new AppError('not_found', message, { fields: [{ path, message }] })
}
