import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { builtFile } from '../../built-file.ts'
import { AppError } from '../../errors.ts'

export function engineChildPath(here: string = import.meta.url): string {
  const path = fileURLToPath(builtFile('./engine-child.js', here))
  if (!existsSync(path)) throw new AppError('internal', `${path} is missing. Run "npm run build".`)
  return path
}
