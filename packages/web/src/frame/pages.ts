import { Flag, LayoutDashboard, Logs, ScanSearch, Settings } from 'lucide-react'

/** The entries of the rail, in its order, and the keys that go there. */
export const RAIL_PAGES = [
  { to: '/projects/$projectId/overview', label: 'Overview', icon: LayoutDashboard, keys: 'g o' },
  { to: '/projects/$projectId/logs', label: 'Logs', icon: Logs, keys: 'g l' },
  { to: '/projects/$projectId/analyses', label: 'Analyses', icon: ScanSearch, keys: 'g a' },
  { to: '/projects/$projectId/deploys', label: 'Deploys', icon: Flag, keys: 'g d' },
  { to: '/projects/$projectId/settings', label: 'Settings', icon: Settings, keys: 'g s' },
] as const
