/** The pages and their addresses. Each page is loaded when it is first asked for. */
import type { QueryClient } from '@tanstack/react-query'
import {
  type AnyRouter,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router'
import { SESSION_PATH } from '@tidemark/wire/dashboard/api-paths'
import { overviewFilter } from '@tidemark/wire/dashboard/first-requests'
import {
  analysesSearch,
  analysisSearch,
  deploysSearch,
  type LogsSearch,
  logsSearch,
  type ProjectSearch,
  parseSearch,
  projectSearch,
  settingsSearch,
  stringifySearch,
} from '@tidemark/wire/dashboard/search'
import { signInSearch } from './account/next-page.ts'
import { overviewQuery } from './api/overview.ts'
import { isAskedAheadBeside } from './api/request.ts'
import { sessionQuery } from './api/session.ts'
import { BrokenPage, LoadingPage, MissingInProject, MissingPage } from './frame/other-pages.tsx'
import { searchAhead } from './logs/first-search.ts'
import { filesOf } from './pages.ts'

type Context = { queryClient: QueryClient }

const root = createRootRouteWithContext<Context>()({ component: Outlet, notFoundComponent: MissingPage })

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async ({ context }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery)
    if (!session) throw redirect({ to: '/sign-in', replace: true })
    const [project] = session.projects
    if (!project) throw redirect({ to: '/projects', replace: true })
    throw redirect({ to: '/projects/$projectId/overview', params: { projectId: project.id }, replace: true })
  },
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: signInSearch,
  component: lazyRouteComponent(filesOf('signIn'), 'SignInPage'),
})

const welcome = createRoute({
  getParentRoute: () => root,
  path: '/welcome',
  component: lazyRouteComponent(filesOf('welcome'), 'WelcomePage'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(filesOf('invitation'), 'InvitationPage'),
})

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyRouteComponent(filesOf('resetPassword'), 'ResetPasswordPage'),
})

/** Everything below it needs somebody who is signed in. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery)
    if (!session) throw redirect({ to: '/sign-in', search: { next: location.href }, replace: true })
    return { session }
  },
})

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: lazyRouteComponent(filesOf('account'), 'AccountPage'),
})

const consent = createRoute({
  getParentRoute: () => signedIn,
  path: '/oauth/authorize',
  component: lazyRouteComponent(filesOf('consent'), 'ConsentPage'),
})

const projects = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects',
  component: lazyRouteComponent(filesOf('projects'), 'ProjectsPage'),
})

const KEPT: (keyof ProjectSearch)[] = ['environment', 'from', 'to']

const project = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId',
  validateSearch: projectSearch,
  search: { middlewares: [retainSearchParams(KEPT)] },
  component: lazyRouteComponent(filesOf('project'), 'ProjectPage'),
})

/** A separate page and not a `notFoundComponent`: the router would not load the frame around that. */
const projectRest = createRoute({
  getParentRoute: () => project,
  path: '/$',
  component: MissingInProject,
})

const projectHome = createRoute({
  getParentRoute: () => project,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/projects/$projectId/overview', params, replace: true })
  },
})

const overview = createRoute({
  getParentRoute: () => project,
  path: '/overview',
  component: lazyRouteComponent(filesOf('overview'), 'OverviewPage'),
})

const logs = createRoute({
  getParentRoute: () => project,
  path: '/logs',
  validateSearch: logsSearch,
  component: lazyRouteComponent(filesOf('logs'), 'LogsPage'),
})

const analyses = createRoute({
  getParentRoute: () => project,
  path: '/analyses',
  validateSearch: analysesSearch,
  component: lazyRouteComponent(filesOf('analyses'), 'AnalysesPage'),
})

const analysis = createRoute({
  getParentRoute: () => project,
  path: '/analyses/$analysisId',
  validateSearch: analysisSearch,
  component: lazyRouteComponent(filesOf('analysis'), 'AnalysisPage'),
})

const deploys = createRoute({
  getParentRoute: () => project,
  path: '/deploys',
  validateSearch: deploysSearch,
  component: lazyRouteComponent(filesOf('deploys'), 'DeploysPage'),
})

const deploy = createRoute({
  getParentRoute: () => project,
  path: '/deploys/$deployId',
  component: lazyRouteComponent(filesOf('deploy'), 'DeployPage'),
})

const settings = createRoute({
  getParentRoute: () => project,
  path: '/settings',
  component: lazyRouteComponent(filesOf('settings'), 'SettingsPage'),
})

const settingsHome = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({
      to: '/projects/$projectId/settings/$section',
      params: { ...params, section: 'keys' },
      replace: true,
    })
  },
})

const settingsSection = createRoute({
  getParentRoute: () => settings,
  path: '/$section',
  validateSearch: settingsSearch,
  component: lazyRouteComponent(filesOf('settings'), 'SettingsSection'),
})

const routeTree = root.addChildren([
  home,
  signIn,
  welcome,
  invitation,
  resetPassword,
  signedIn.addChildren([
    account,
    consent,
    projects,
    project.addChildren([
      projectHome,
      projectRest,
      overview,
      logs,
      analyses,
      analysis,
      deploys,
      deploy,
      settings.addChildren([settingsHome, settingsSection]),
    ]),
  ]),
])

export function openRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    parseSearch,
    stringifySearch,
    defaultPendingComponent: LoadingPage,
    defaultErrorComponent: BrokenPage,
    defaultNotFoundComponent: MissingPage,
    defaultPreload: 'intent',
    // React Query decides what is fresh.
    defaultPreloadStaleTime: 0,
  })
}

/** Whether the page that is open is for somebody who is signed in; where people sign in it is not. */
export function needsSession(router: AnyRouter): boolean {
  return router.matchRoutes(router.latestLocation).some(({ routeId }) => routeId === signedIn.id)
}

/**
 * The files of the page that is opened, and what it shows first, come while the service is asked who is here. Ends with
 * the last of them, whatever fails: the page says so.
 */
export async function loadFirstPage(router: AnyRouter, queryClient: QueryClient): Promise<void> {
  const coming: (Promise<unknown> | undefined)[] = [router.load()]
  for (const { routeId, params, search } of router.matchRoutes(router.latestLocation)) {
    coming.push(
      router.loadRouteChunk(router.routesById[routeId]),
      askFirst(queryClient, routeId, params.projectId, search),
    )
  }
  await Promise.allSettled(coming)
}

/** For the pages that people open most: what they show is known before they are drawn for the first time. */
function askFirst(
  queryClient: QueryClient,
  routeId: string,
  projectId: string,
  search: LogsSearch & ProjectSearch,
): Promise<void> | undefined {
  // The document names more than the session only for a browser that has one: others would be refused.
  if (!isAskedAheadBeside(SESSION_PATH)) return undefined
  if (routeId === overview.id) return queryClient.prefetchQuery(overviewQuery(projectId, overviewFilter(search)))
  if (routeId === logs.id) return searchAhead(queryClient, projectId, search)
  return undefined
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof openRouter>
  }
}
