/** One change to one file of the shop's repository. */
export type Edit =
  | { path: string; content: string }
  | { path: string; find: string; replace: string }
  | { path: string; add: string }

export const AUTHORS = {
  ada: { name: 'Ada Brandt', email: 'ada@shop.example' },
  grace: { name: 'Grace Okafor', email: 'grace@shop.example' },
  linus: { name: 'Linus Vermeer', email: 'linus@shop.example' },
  mei: { name: 'Mei Tanaka', email: 'mei@shop.example' },
  omar: { name: 'Omar Haddad', email: 'omar@shop.example' },
} as const

export type AuthorKey = keyof typeof AUTHORS

export type CommitPlan = { author: AuthorKey; message: string; edits: readonly Edit[] }

/** Throws when an edit does not fit: the story must match the code. */
export function applyEdit(files: Map<string, string>, edit: Edit): void {
  if ('content' in edit) {
    files.set(edit.path, edit.content)
    return
  }
  const content = files.get(edit.path)
  if (content === undefined) throw new Error(`There is no file ${edit.path} to edit.`)
  if ('add' in edit) {
    files.set(edit.path, withLine(content, edit.add))
    return
  }
  if (content.split(edit.find).length !== 2)
    throw new Error(`In ${edit.path} the text to replace must stand once:\n${edit.find}`)
  files.set(
    edit.path,
    content.replace(edit.find, () => edit.replace),
  )
}

/** At the end, or as the last entry of a list that ends with a line of closing brackets. */
function withLine(content: string, line: string): string {
  const closing = /[\])}]+;?\n$/.exec(content)
  const at = closing !== null && content[closing.index - 1] === '\n' ? closing.index : content.length
  return `${content.slice(0, at)}${line}\n${content.slice(at)}`
}
