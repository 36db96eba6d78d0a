import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router'
import { CircleHelp, CircleUser, LogOut, Monitor, Moon, Share2, SquareTerminal, Sun } from 'lucide-react'
import { sessionQuery, signOut } from '../api/session.ts'
import { IconButton } from '../ui/button.tsx'
import { Menu, MenuHeading, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { changePreferences, usePreferences } from '../ui/preferences.ts'
import { useToast } from '../ui/toast.tsx'
import { useIsBelow } from './use-is-below.ts'

const route = getRouteApi('/signed-in')
const THEMES = [
  { theme: 'system', label: 'System', icon: Monitor },
  { theme: 'light', label: 'Light', icon: Sun },
  { theme: 'dark', label: 'Dark', icon: Moon },
] as const

/** What a bar as narrow as a phone has no room for; a page without a project has none of it. */
type PersonMenuProps = { onShare?: () => void; onPalette?: () => void; onHelp?: () => void }

export function PersonMenu({ onShare, onPalette, onHelp }: PersonMenuProps) {
  const isPhone = useIsBelow('sm')
  const moved = [
    { label: 'Copy link to this view', icon: Share2, run: onShare },
    { label: 'Commands', icon: SquareTerminal, run: onPalette },
    { label: 'Help', icon: CircleHelp, run: onHelp },
  ].filter(({ run }) => isPhone && run !== undefined)
  const { session } = route.useRouteContext()
  const { theme } = usePreferences()
  const navigate = useNavigate()
  const leave = useSignOut()
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label="Account and appearance">
          <CircleUser size={16} aria-hidden="true" />
        </IconButton>
      }
    >
      <MenuHeading>{session.person.name || session.person.email}</MenuHeading>
      <MenuItem icon={<CircleUser size={14} aria-hidden="true" />} onSelect={() => navigate({ to: '/account' })}>
        Your account
      </MenuItem>
      <MenuSeparator />
      {moved.map(({ label, icon: Icon, run }) => (
        <MenuItem key={label} icon={<Icon size={14} aria-hidden="true" />} onSelect={() => run?.()}>
          {label}
        </MenuItem>
      ))}
      {moved.length > 0 && <MenuSeparator />}
      <MenuHeading>Appearance</MenuHeading>
      {THEMES.map(({ theme: name, label, icon: Icon }) => (
        <MenuItem
          key={name}
          isChosen={theme === name}
          icon={<Icon size={14} aria-hidden="true" />}
          onSelect={() => changePreferences({ theme: name })}
        >
          {label}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem icon={<LogOut size={14} aria-hidden="true" />} onSelect={leave}>
        Sign out
      </MenuItem>
    </Menu>
  )
}

export function useSignOut(): () => Promise<void> {
  const queryClient = useQueryClient()
  const router = useRouter()
  const say = useToast()
  return async () => {
    try {
      await signOut()
    } catch (error) {
      say(`Not signed out: ${(error as Error).message}`)
      return
    }
    queryClient.clear()
    queryClient.setQueryData(sessionQuery.queryKey, null)
    await router.navigate({ to: '/sign-in' })
  }
}
