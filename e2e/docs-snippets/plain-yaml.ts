/**
 * As much YAML as configurations in documents need: maps and lists by indentation, `[a, b]` and `{ a: b }`, quoted and plain
 * scalars, block texts and comments. Anything else is refused rather than misread.
 */
type Line = { indent: number; text: string; number: number }

export function parseYaml(text: string): unknown {
  const raw = text.split('\n')
  const lines = raw
    .map((line, index) => ({
      indent: line.length - line.trimStart().length,
      text: withoutComment(line.trim()),
      number: index,
    }))
    .filter((line) => line.text !== '')
  let at = 0

  function block(indent: number): unknown {
    return lines[at]?.text.startsWith('- ') || lines[at]?.text === '-' ? list(indent) : map(indent)
  }

  function list(indent: number): unknown[] {
    const items: unknown[] = []
    for (let line = lines[at]; line?.indent === indent && /^-(\s|$)/.test(line.text); line = lines[at]) {
      const rest = line.text.slice(1).trimStart()
      // What follows the dash is a separate block, indented to its own position.
      if (rest === '') {
        at++
        items.push(nested(indent))
      } else if (isEntry(rest)) {
        lines[at] = { ...line, indent: indent + line.text.length - rest.length, text: rest }
        items.push(block(indent + line.text.length - rest.length))
      } else {
        at++
        items.push(scalar(rest, line))
      }
    }
    return items
  }

  function map(indent: number): Record<string, unknown> {
    const entries: Record<string, unknown> = {}
    for (let line = lines[at]; line?.indent === indent && !line.text.startsWith('- '); line = lines[at]) {
      const [, key, rest = ''] = /^([^\s:"'[{][^:]*|"[^"]*"|'[^']*'):(?:\s+(.*))?$/.exec(line.text) ?? []
      if (key === undefined) throw new Error(`Line ${line.number + 1} is no entry of a map: ${line.text}`)
      at++
      entries[String(scalar(key, line))] = /^[|>]-?$/.test(rest)
        ? blockText(line)
        : rest === ''
          ? nested(indent)
          : scalar(rest, line)
    }
    const next = lines[at]
    if (next && next.indent > indent) throw new Error(`Line ${next.number + 1} is indented too far: ${next.text}`)
    return entries
  }

  function nested(indent: number): unknown {
    const next = lines[at]
    if (next && next.indent > indent) return block(next.indent)
    // A list may be indented as little as the key that holds it.
    return next?.indent === indent && next.text.startsWith('- ') ? list(indent) : null
  }

  function blockText(parent: Line): string {
    const found: string[] = []
    let number = parent.number + 1
    const parentIndent = raw[parent.number]!.length - raw[parent.number]!.trimStart().length
    for (; number < raw.length; number++) {
      const line = raw[number]!
      if (line.trim() !== '' && line.length - line.trimStart().length <= parentIndent) break
      found.push(line)
    }
    while (lines[at] !== undefined && lines[at]!.number < number) at++
    const indent = Math.min(
      ...found.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length),
    )
    return `${found
      .map((line) => line.slice(indent))
      .join('\n')
      .trimEnd()}\n`
  }

  const parsed = block(lines[0]?.indent ?? 0)
  if (at < lines.length) throw new Error(`Line ${lines[at]!.number + 1} does not belong there: ${lines[at]!.text}`)
  return parsed
}

function isEntry(text: string): boolean {
  return /^[\w.@/-]+:(\s|$)/.test(text)
}

function withoutComment(text: string): string {
  return text.startsWith('#') ? '' : text.replace(/\s+#[^'"]*$/, '')
}

function scalar(text: string, line: Line): unknown {
  if (/^\[.*\]$/.test(text))
    return text
      .slice(1, -1)
      .split(',')
      .map((one) => scalar(one.trim(), line))
  if (/^\{.*\}$/.test(text)) return parseYaml(text.slice(1, -1).trim().replaceAll(/,\s*/g, '\n'))
  if (/^".*"$/.test(text)) return JSON.parse(text)
  if (/^'.*'$/.test(text)) return text.slice(1, -1).replaceAll("''", "'")
  if (/^[{&*!|>%@`]/.test(text)) throw new Error(`Line ${line.number + 1} is more YAML than is read here: ${text}`)
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  return text === 'true' ? true : text === 'false' ? false : text
}
