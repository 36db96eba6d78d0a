import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { AppError } from '../errors.ts'

/** The engine child always runs compiled code, also when its parent is a test that runs from the sources. */
export function engineChildPath(here: string = import.meta.url): string {
  const path = fileURLToPath(
    new URL('./engine-child.js', here.replace(/\/src\/logstore\/[^/]*\.ts$/, '/dist/logstore/')),
  )
  if (!existsSync(path)) throw new AppError('internal', `${path} is missing. Run "npm run build".`)
  return path
}
