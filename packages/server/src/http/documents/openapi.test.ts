import { describe, expect, it } from 'vitest'
import { parseDeployInput } from '../../verbs/deploys/deploy-input.ts'
import { apiPage } from './api-page.ts'
import { openApiDocument } from './openapi.ts'
import { ingestSchemas } from './openapi-ingest.ts'

const NOW_MS = Date.parse('2026-01-31T12:00:00Z')
const document = openApiDocument('http://localhost:4700')

describe('the OpenAPI document', () => {
  it('refers only to bodies that it has, and leaves nothing of the tools that made it', () => {
    const text = JSON.stringify(document)
    const names = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref?.replace('#/components/schemas/', ''))
    expect(names.filter((name) => !Object.hasOwn(document.components.schemas, name ?? ''))).toEqual([])
    expect(text).not.toMatch(/"\$(?:id|schema|defs)"/)
  })

  it('is drawn as a page, also what may be nothing', () => {
    const { html } = apiPage(document)
    expect(html).toContain('<code>too_early</code> <code>null</code>')
  })

  it('names a body inside another by its name', () => {
    const deploy = { $ref: '#/components/schemas/Deploy' }
    expect(document.components.schemas.DeployAnswer.properties).toMatchObject({ deploy })
    expect(document.components.schemas.DeployDetail.properties).toMatchObject({ deploy })
    expect(document.components.schemas.LogBatch.properties).toMatchObject({
      logs: { items: { $ref: '#/components/schemas/LogRecord' } },
    })
  })

  it.each<[string, Record<string, unknown>]>([
    ['the least there must be', {}],
    ['all of it', { ref: 'main', message: 'm', author: 'a', status: 'failed', externalId: 'x', url: 'https://ci/1' }],
    ['nothing where nothing may be', { ref: null, message: null, author: null, externalId: null, metadata: null }],
    ['no revision', { sha: undefined }],
    ['an empty environment', { environment: '' }],
    ['a number for a name', { ref: 7 }],
    ['the longest name', { author: 'x'.repeat(255) }],
    ['a longer name', { author: 'x'.repeat(256) }],
    ['the longest message', { message: 'x'.repeat(10_000) }],
    ['a longer message', { message: 'x'.repeat(10_001) }],
    ['a longer address', { url: `https://ci/${'x'.repeat(2_048)}` }],
    ['an unknown status', { status: 'pending' }],
    ['a list for metadata', { metadata: [1] }],
  ])('says of a deploy with %s what the door does', (_, part) => {
    const event = { projectApiKey: 'k', sha: 'abc', environment: 'prod', deployedAt: '2026-01-31T11:00:00Z', ...part }
    const described = ingestSchemas.DeployEvent.safeParse(event).success
    expect(isTaken(event)).toBe(described)
  })
})

function isTaken(event: Record<string, unknown>): boolean {
  try {
    parseDeployInput(event, NOW_MS)
    return true
  } catch {
    return false
  }
}
