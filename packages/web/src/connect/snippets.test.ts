import { describe, expect, it } from 'vitest'
import { mcpSnippets } from './mcp-snippets.ts'
import { recordSnippets } from './snippets.ts'

const input = {
  ingestUrl: 'http://localhost:4700',
  mcpUrl: 'http://localhost:4700',
  ingestKey: 'tidemark_ingest_abc',
  readKey: 'tidemark_read_def',
}

const all = (snippet: { text: string; more?: { text: string } }) => `${snippet.text}\n${snippet.more?.text ?? ''}`

describe('the snippets', () => {
  it('hold the real address and key, and never the other kind of key', () => {
    for (const snippet of recordSnippets(input)) {
      expect(all(snippet), snippet.id).toContain(input.ingestUrl)
      expect(all(snippet), snippet.id).toContain(input.ingestKey)
      expect(all(snippet), snippet.id).not.toContain(input.readKey)
    }
    for (const snippet of mcpSnippets(input)) {
      expect(all(snippet), snippet.id).toMatch(/http:\/\/localhost:4700\/(mcp|cli\.tgz)\b/)
      expect(all(snippet), snippet.id).toContain(input.readKey)
      expect(all(snippet), snippet.id).not.toContain(input.ingestKey)
    }
  })

  it('offer connectors that only sign in where the address is https, and give them no key', () => {
    const idsAt = (mcpUrl: string) => mcpSnippets({ ...input, mcpUrl }).map(({ id }) => id)
    expect(idsAt(input.mcpUrl)).not.toContain('connectors')
    expect(idsAt('https://logs.example.com')).toEqual(['connectors', ...idsAt(input.mcpUrl)])
    const [connectors] = mcpSnippets({ ...input, mcpUrl: 'https://logs.example.com' })
    expect(connectors?.text).toBe('https://logs.example.com/mcp')
  })

  it('warn where a job elsewhere could not reach the address', () => {
    const warned = (ingestUrl: string) =>
      recordSnippets({ ...input, ingestUrl }).flatMap(({ id, warning }) => (warning === undefined ? [] : [id]))
    for (const host of ['localhost:4700', '127.0.0.1:4700', '[::1]:4700'])
      expect(warned(`http://${host}`)).toEqual(['github'])
    expect(warned('https://logs.example.com')).toEqual([])
  })

  it('are whole as they are pasted, and run with any curl', () => {
    // As in curl 7.29, which is still installed: what a refusal says is printed without being asked for.
    const known = new Set(['-sS', '-H', '-d'])
    const texts = [...recordSnippets(input), ...mcpSnippets(input)].flatMap(({ text, more }) => [
      text,
      more?.text ?? '',
    ])
    for (const text of texts) {
      expect(text).not.toContain('…')
      expect(text.trim(), 'neither begins nor ends with a blank').toBe(text)
      if (!text.startsWith('curl ')) continue
      // What is in quotes is a value.
      const options = text.replace(/'[^']*'|"[^"]*"/g, '').match(/(?<= )-{1,2}[\w-]+/g) ?? []
      expect(options.filter((option) => !known.has(option))).toEqual([])
      // Each line but the last goes on with the next one.
      expect(
        text
          .split('\n')
          .slice(0, -1)
          .every((line) => line.endsWith(' \\')),
      ).toBe(true)
    }
    expect(texts.filter((text) => text.startsWith('curl '))).toHaveLength(2)
  })

  it('send JSON that can be read', () => {
    const [record] = recordSnippets(input)
    const body = /-d '(\{.*\})'/.exec(record?.text ?? '')?.[1] ?? ''
    expect(JSON.parse(body)).toMatchObject({ message: 'hello', environment: 'production' })
    for (const { id, text } of mcpSnippets(input))
      if (text.startsWith('{')) expect(() => JSON.parse(text), id).not.toThrow()
  })

  it('name the setting by the word that each client reads', () => {
    const text = Object.fromEntries(mcpSnippets(input).map((snippet) => [snippet.id, snippet.text]))
    expect(text.windsurf).toContain('"serverUrl"')
    expect(text.cursor).toContain('"url"')
    expect(text.zed).toContain('"context_servers"')
    expect(text.vscode).toContain('"servers"')
    expect(JSON.parse(text['claude-desktop'] ?? '').mcpServers.tidemark).toEqual({
      command: 'npx',
      args: ['-y', 'http://localhost:4700/cli.tgz', 'mcp'],
      env: { TIDEMARK_URL: 'http://localhost:4700', TIDEMARK_READ_KEY: input.readKey },
    })
  })
})
