import { beforeAll, describe, expect, it } from 'vitest'
import { fencesIn, userDocuments } from '../docs-snippets/fences.ts'
import { parseYaml } from '../docs-snippets/plain-yaml.ts'
import { openReader, type Reader } from '../docs-snippets/reader.ts'
import { tryFence } from '../docs-snippets/rules.ts'
import { checkout } from '../support/service/processes.ts'
import { type Service, sharedService } from '../support/service/service.ts'

const all = userDocuments(checkout).flatMap(({ fences }) => fences)
/** One after the other, as a reader goes through a page. */
const documents = userDocuments(checkout)
  .map(({ name, fences }) => ({ name, fences: fences.filter(({ reason }) => reason === undefined) }))
  .filter(({ fences }) => fences.length > 0)

let service: Service
beforeAll(async () => {
  service = await sharedService()
})

describe.each(documents)('the snippets of $name', ({ fences }) => {
  let reader: Reader
  beforeAll(async () => {
    reader = await openReader(service)
  })

  it.each(fences.map((fence) => [[fence.language, ...fence.words].join(' '), fence.place, fence] as const))(
    'work: %s at %s',
    (_kind, _place, fence) => tryFence(fence, reader),
  )
})

describe('a snippet that is not run', () => {
  const left = all.filter(({ reason }) => reason !== undefined)
  it.each(left.map(({ place, reason = '' }) => [place, reason] as const))('says why: %s, %s', (_, reason) => {
    expect(reason).toMatch(/\S+ \S+/)
  })

  it.each(left.filter(({ language }) => language === 'yaml').map(({ place, text }) => [place, text] as const))(
    'is at least YAML: %s',
    (_, text) => {
      expect(parseYaml(text)).toBeTypeOf('object')
    },
  )
})

describe('a snippet that no rule covers', () => {
  it.each(['```\ntext\n```', '```rust\nfn main() {}\n```', '```sh maybe\ntrue\n```', '```json output later\n{}\n```'])(
    'fails: %j',
    async (markdown) => {
      const [fence] = fencesIn('page.md', markdown)
      await expect(async () => tryFence(fence!, {} as Reader)).rejects.toThrow('No rule covers')
    },
  )
})
