import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { askAgainOnline } from './ask-again-online.ts'
import { RequestError } from './request.ts'

it('asks again for what got no answer once the network is back, and for nothing else', async () => {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } })
  const page = new EventTarget()
  askAgainOnline(queryClient, page)
  const asked: string[] = []
  const shown = (name: string, answer: () => Promise<string>) => {
    const queryFn = () => {
      asked.push(name)
      return answer()
    }
    return new QueryObserver(queryClient, { queryKey: [name], queryFn }).subscribe(() => {})
  }
  let isOnline = false
  const unanswered = () =>
    isOnline ? Promise.resolve('rows') : Promise.reject(new RequestError(0, 'no_answer', 'No.'))
  const stop = [
    shown('rows', unanswered),
    shown('refused', () => Promise.reject(new RequestError(400, 'bad_request', 'No.'))),
    shown('answered', () => Promise.resolve('here')),
  ]
  shown('left', unanswered)()
  await expect.poll(() => queryClient.getQueryState(['rows'])?.status).toBe('error')
  await expect.poll(() => queryClient.isFetching()).toBe(0)

  asked.length = 0
  isOnline = true
  page.dispatchEvent(new Event('online'))
  await expect.poll(() => queryClient.getQueryData(['rows'])).toBe('rows')
  expect(asked).toEqual(['rows'])
  for (const end of stop) end()
  queryClient.clear()
})
