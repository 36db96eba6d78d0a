import { expect, it } from 'vitest'
import { RequestError } from '../../api/request.ts'
import { refusedPart } from './refused-query.ts'

it('is where the service says that the query is wrong, and nowhere else', () => {
  const refused = (fields: RequestError['fields']) => refusedPart(new RequestError(400, 'invalid_request', '', fields))
  expect(refused([{ path: 'query', message: '', from: 3, to: 9 }])).toEqual({ from: 3, to: 9 })
  expect(refused([{ path: 'query', message: '' }])).toBeUndefined()
  expect(refused([{ path: 'of', message: '', from: 0, to: 1 }])).toBeUndefined()
  expect(refusedPart(new Error('away'))).toBeUndefined()
  expect(refusedPart(null)).toBeUndefined()
})
