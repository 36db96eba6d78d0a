import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { SESSION_PATH } from '@tidemark/wire/dashboard/api-paths'
import { StrictMode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { askAgainOnline } from './api/ask-again-online.ts'
import type { AskedAhead } from './api/asked-ahead.ts'
import { holdRequests, isAskedAheadBeside, isStatus, mayComeBack, takeAnswers } from './api/request.ts'
import { sessionQuery } from './api/session.ts'
import { type BroughtPages, bringPages } from './pages.ts'
import * as project from './project-page.tsx'
import { loadFirstPage, needsSession, openRouter } from './router.tsx'
import { untilFirstSight } from './ui/later.tsx'
import { applyTheme } from './ui/preferences.ts'
import { ToastProvider } from './ui/toast.tsx'

const MAX_RETRIES = 2
/** Asking for too much at once resolves by itself: several pages of one person share a limit. */
const MAX_RETRIES_WHEN_BUSY = 6

/**
 * A session that has ended, or a member who was removed, is noticed by the next request. Where people sign in, 401 says
 * that the password is wrong.
 */
const leaveWhenSignedOut = (error: Error) => {
  if (!isStatus(error, 401) || !needsSession(router) || !queryClient.getQueryData(sessionQuery.queryKey)) return
  queryClient.clear()
  queryClient.setQueryData(sessionQuery.queryKey, null)
  router.navigate({ to: '/sign-in', search: { next: router.state.location.href, ended: 'yes' } })
}

const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
  mutationCache: new MutationCache({ onError: leaveWhenSignedOut }),
  defaultOptions: {
    queries: {
      // What the service refuses once it refuses again; only what may go away by itself is retried.
      retry: (failures, error) =>
        mayComeBack(error) && failures < (error.status === 429 ? MAX_RETRIES_WHEN_BUSY : MAX_RETRIES),
      refetchOnWindowFocus: false,
      // Without a network a request is paused and says nothing; this way it fails and says so.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

const router = openRouter(queryClient)

type First = {
  asked: AskedAhead
  /** How long a page may stay away that does not have everything yet. */
  patienceMs: number
}

/** `brought`: the page that the document is for. The frame around the pages of a project is here; others come later. */
export function open({ asked, patienceMs }: First, brought: BroughtPages = {}): void {
  takeAnswers(asked)
  bringPages({ project, ...brought })
  applyTheme()
  askAgainOnline(queryClient, window)
  // Known until the answers are taken.
  const hasFirst = isAskedAheadBeside(SESSION_PATH)
  Promise.race([loadFirstPage(router, queryClient), sleep(patienceMs)]).then(() => {
    if (hasFirst) holdRequests(untilFirstSight())
    draw()
  })
}

/** At once, and not a task later: see the first script. */
function draw(): void {
  const root = document.getElementById('root')
  if (!root) return
  flushSync(() =>
    createRoot(root).render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <ToastProvider>
            <RouterProvider router={router} />
          </ToastProvider>
        </QueryClientProvider>
      </StrictMode>,
    ),
  )
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
