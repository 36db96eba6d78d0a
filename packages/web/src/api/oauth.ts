import { queryOptions } from '@tanstack/react-query'
import type { ConsentAnswer, ConsentInput, ConsentPreview } from '@tidemark/wire/people/oauth'
import { request } from './request.ts'

/** `asked` is the query of the address that the client led here with. */
export const consentPreviewQuery = (asked: string) =>
  queryOptions({
    queryKey: ['consent', asked],
    queryFn: ({ signal }) =>
      request<ConsentPreview>('/api/oauth/preview', { method: 'POST', body: { request: asked }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const giveConsent = (input: ConsentInput) =>
  request<ConsentAnswer>('/api/oauth/consent', { method: 'POST', body: input })
