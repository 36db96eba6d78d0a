/** As much TOML as client configurations need: tables, and keys with texts, numbers or booleans. */
export function parseToml(text: string): Record<string, unknown> {
  const root: Record<string, unknown> = {}
  let table = root
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '' || line.startsWith('#')) continue
    const [, name] = /^\[([\w.-]+)\]$/.exec(line) ?? []
    const [, key = '', value = ''] = /^([\w-]+)\s*=\s*("[^"]*"|true|false|\d+)$/.exec(line) ?? []
    if (name !== undefined) {
      table = name.split('.').reduce((inner, part) => {
        inner[part] ??= {}
        return inner[part] as Record<string, unknown>
      }, root)
    } else if (key !== '') table[key] = JSON.parse(value)
    else throw new Error(`This is more TOML than is read here: ${line}`)
  }
  return root
}
