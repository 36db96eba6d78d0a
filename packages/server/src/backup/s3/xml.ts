/** As much of XML as S3 servers answer with: elements without attributes that matter, and texts in them. */

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** What is inside of each element of this name, in order. Elements of one name are not nested in each other. */
export function elementsOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([^]*?)</${name}>`, 'g'))].map(([, inside = '']) => inside)
}

export function textOf(xml: string, name: string): string | undefined {
  const [inside] = elementsOf(xml, name)
  return inside?.replaceAll(/&(?:#(\d+)|#x([0-9a-fA-F]+)|(\w+));/g, (whole, decimal, hex, named) => {
    if (named !== undefined) return ENTITIES[named] ?? whole
    return String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(decimal ?? hex, decimal === undefined ? 16 : 10)))
  })
}

export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)
}
