import { expect, it } from 'vitest'
import { z } from 'zod'
import { jsonSchemaOf } from './json-schema.ts'

it('says that something may be null in its types, and in its values where those are listed', () => {
  const schema = z.object({ size: z.int().nullable(), verdict: z.enum(['good', 'bad']).nullable() })
  expect(jsonSchemaOf(schema, 'output').properties).toMatchObject({
    size: { type: ['integer', 'null'] },
    verdict: { type: ['string', 'null'], enum: ['good', 'bad', null] },
  })
})
