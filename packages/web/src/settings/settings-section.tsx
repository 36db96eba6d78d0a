import { getRouteApi, Link } from '@tanstack/react-router'
import { isAtLeast } from '@tidemark/wire/people/role'
import { type ComponentType, lazy, Suspense } from 'react'
import { useRole } from '../api/roles.ts'
import { SECTIONS } from '../frame/settings-sections.ts'
import { buttonClass } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'

type SectionId = (typeof SECTIONS)[number]['id']

const CONTENT: Record<SectionId, ComponentType<{ projectId: string }>> = {
  keys: lazy(() => import('./keys/keys-section.tsx').then((module) => ({ default: module.KeysSection }))),
  ingest: lazy(() => import('./ingest/ingest-section.tsx').then((module) => ({ default: module.IngestSection }))),
  calls: lazy(() => import('./calls/calls-section.tsx').then((module) => ({ default: module.CallsSection }))),
  project: lazy(() => import('./project/project-section.tsx').then((module) => ({ default: module.ProjectSection }))),
  redaction: lazy(() =>
    import('./redaction/redaction-section.tsx').then((module) => ({ default: module.RedactionSection })),
  ),
  repository: lazy(() =>
    import('./repository/repository-section.tsx').then((module) => ({ default: module.RepositorySection })),
  ),
  sourcemaps: lazy(() =>
    import('./sourcemaps/source-maps-section.tsx').then((module) => ({ default: module.SourceMapsSection })),
  ),
  alerts: lazy(() => import('./alerts/alerts-section.tsx').then((module) => ({ default: module.AlertsSection }))),
  grouping: lazy(() =>
    import('./grouping/grouping-section.tsx').then((module) => ({ default: module.GroupingSection })),
  ),
  members: lazy(() => import('./members/members-section.tsx').then((module) => ({ default: module.MembersSection }))),
  audit: lazy(() => import('./audit/audit-section.tsx').then((module) => ({ default: module.AuditSection }))),
}

const route = getRouteApi('/signed-in/projects/$projectId/settings/$section')

export function SettingsSection() {
  const { projectId, section } = route.useParams()
  const role = useRole(projectId)
  const found = SECTIONS.find(({ id }) => id === section)
  if (!found) {
    return (
      <Empty title="There is no such section">
        <Link to="/projects/$projectId/settings" params={{ projectId }} className={buttonClass('primary')}>
          Go to the settings
        </Link>
      </Empty>
    )
  }
  if (!isAtLeast(role, found.least)) {
    return (
      <Empty title={`${found.label}: ${found.least === 'member' ? 'not for viewers' : 'for owners only'}`}>
        You are a {role} of this project. Ask an owner to change your role.
      </Empty>
    )
  }
  const Content = CONTENT[found.id]
  return (
    <Suspense fallback={<SkeletonRows />}>
      <Content key={projectId} projectId={projectId} />
    </Suspense>
  )
}
