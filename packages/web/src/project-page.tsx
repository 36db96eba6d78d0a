import { lazy } from 'react'
import { ProjectFrame } from './frame/project-frame.tsx'

const StartDialog = lazy(() => import('./start/start-dialog.tsx').then((module) => ({ default: module.StartDialog })))

/** Assembled here, because the frame is around every page and knows none. */
export function ProjectPage() {
  return <ProjectFrame StartDialog={StartDialog} />
}
