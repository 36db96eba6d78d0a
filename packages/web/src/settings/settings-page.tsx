import { getRouteApi, Link, Outlet, useParams } from '@tanstack/react-router'
import { SECTIONS } from '../frame/settings-sections.ts'
import { TabRow } from '../ui/tab-row.tsx'

// Neither is ever without the other.
export { SettingsSection } from './settings-section.tsx'

const route = getRouteApi('/signed-in/projects/$projectId/settings')

export function SettingsPage() {
  const { projectId } = route.useParams()
  const { section = '' } = useParams({ strict: false })
  return (
    <main className="min-h-0 flex-1 overflow-y-auto">
      <div className="flex max-w-[1200px] flex-col gap-4 px-4 py-5 2xl:px-6 md:flex-row md:gap-8">
        <div className="shrink-0 md:w-44">
          <h1 className="mb-3 text-title font-semibold">Settings</h1>
          <TabRow
            label="Settings"
            current={section}
            className="max-md:pr-8 max-md:[mask-image:linear-gradient(to_right,black_calc(100%-40px),transparent)] md:flex-col"
          >
            {SECTIONS.map(({ id, label }) => (
              <Link
                key={id}
                to="/projects/$projectId/settings/$section"
                params={{ projectId, section: id }}
                className="flex h-control shrink-0 -outline-offset-2 items-center rounded-control px-2 text-muted hover:bg-hover hover:text-text"
                activeProps={{ className: 'bg-accent-surface !text-accent md:font-medium', 'aria-current': 'page' }}
              >
                {label}
              </Link>
            ))}
          </TabRow>
        </div>
        <div className="min-w-0 flex-1 pb-10">
          <Outlet />
        </div>
      </div>
    </main>
  )
}
