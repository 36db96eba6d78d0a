/** The files of each page, which come when it is first asked for. */
export const PAGES = {
  signIn: () => import('./account/sign-in-page.tsx'),
  welcome: () => import('./account/welcome-page.tsx'),
  invitation: () => import('./account/invitation-page.tsx'),
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
  settingsSection: () => import('./settings/settings-section.tsx'),
} as const
