/** What a tab of the browser is called: the page first, because that is what tells a row of tabs apart. */
import { useQuery } from '@tanstack/react-query'
import { useLocation, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { analysisQuery } from '../api/analyses.ts'
import { deployQuery } from '../api/deploys.ts'
import { plainLine } from '../text/plain-text.ts'
import { shortSha } from '../text/short-sha.ts'
import { RAIL_PAGES } from './pages.ts'
import { SECTIONS } from './settings-sections.ts'

export function usePageTitle(projectId: string, projectName: string | undefined): void {
  const { pathname } = useLocation()
  const { analysisId = '', deployId = '' } = useParams({ strict: false })
  // The pages fetch these; the title only listens.
  const analysis = useQuery({ ...analysisQuery(projectId, analysisId), enabled: false }).data?.analysis
  const deploy = useQuery({ ...deployQuery(projectId, deployId), enabled: false }).data?.deploy
  const shown = analysis ? plainLine(analysis.title) : deploy && `Deploy ${shortSha(deploy.sha)}`
  const title = titleOf(pathname, shown, projectName)
  useEffect(() => {
    document.title = title
  }, [title])
}

/** `shown`: what the page is about, once that is known. */
export function titleOf(pathname: string, shown: string | undefined, projectName: string | undefined): string {
  const [, , , page = '', part] = pathname.split('/')
  const label = RAIL_PAGES.find(({ to }) => to.endsWith(`/${page}`))?.label
  const section = page === 'settings' ? SECTIONS.find(({ id }) => id === part)?.label : undefined
  return [shown ?? section ?? label, projectName, 'Tidemark'].filter(Boolean).join(' · ')
}
