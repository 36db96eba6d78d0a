/** The files of each page. They come when it is first asked for; a document brings the page that it is for. */
const FILES = {
  signIn: () => import('./account/sign-in-page.tsx'),
  welcome: () => import('./account/welcome-page.tsx'),
  invitation: () => import('./account/invitation-page.tsx'),
  resetPassword: () => import('./account/reset-password-page.tsx'),
  account: () => import('./account/account-page.tsx'),
  consent: () => import('./account/consent-page.tsx'),
  projects: () => import('./start/projects-page.tsx'),
  project: () => import('./project-page.tsx'),
  overview: () => import('./overview/overview-page.tsx'),
  logs: () => import('./logs/logs-page.tsx'),
  analyses: () => import('./analyses/list/analyses-page.tsx'),
  analysis: () => import('./analyses/detail/analysis-page.tsx'),
  deploys: () => import('./deploys/list/deploys-page.tsx'),
  deploy: () => import('./deploys/detail/deploy-page.tsx'),
  settings: () => import('./settings/settings-page.tsx'),
} as const

type Files = typeof FILES
type Page = keyof Files
export type BroughtPages = { [Name in Page]?: Awaited<ReturnType<Files[Name]>> }

const brought: BroughtPages = {}

export function bringPages(pages: BroughtPages): void {
  Object.assign(brought, pages)
}

/** What the router loads a page with. */
export function filesOf<Name extends Page>(name: Name): Files[Name] {
  const load = async () => brought[name] ?? (await FILES[name]())
  return load as Files[Name]
}
