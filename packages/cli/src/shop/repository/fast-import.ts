import { signatureText } from './git-objects.ts'
import type { Repository } from './repository.ts'

/** What `git fast-import` reads to make the repository. Each commit's parent is the branch as the commit before left it. */
export function fastImportStream({ commits }: Repository): string {
  const lines: string[] = []
  const data = (text: string) => lines.push(`data ${Buffer.byteLength(text)}`, text)
  for (const { author, message, changed, files } of commits) {
    lines.push('commit refs/heads/main', `author ${signatureText(author)}`, `committer ${signatureText(author)}`)
    data(message)
    for (const path of changed) {
      lines.push(`M 100644 inline ${path}`)
      data(files.get(path) ?? '')
    }
  }
  return `${lines.join('\n')}\ndone\n`
}
