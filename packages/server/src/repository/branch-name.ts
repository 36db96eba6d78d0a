import { MAX_BRANCH_CHARACTERS } from '@tidemark/wire/limits'
import { AppError } from '../errors.ts'

/** What git itself refuses in a name, and what could be read as an option or as another way to name a commit. */
const IMPOSSIBLE = /[\x00-\x20\x7f~^:?*[\\]|^[-/.@]$|^-|^\/|^\.|\/\.|\.\.|\/\/|@\{|\.lock(?:\/|$)|[/.]$|^refs\//

export function checkedBranch(name: string): string {
  if (name.length > 0 && name.length <= MAX_BRANCH_CHARACTERS && !IMPOSSIBLE.test(name)) return name
  throw new AppError(
    'invalid_request',
    'This is not a branch name: write it as git shows it, for instance main or release/2.x, without refs/heads/.',
    { fields: [{ path: 'branch', message: 'is not a branch name' }] },
  )
}
