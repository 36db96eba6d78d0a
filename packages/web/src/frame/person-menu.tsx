import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router'
import { CircleUser, LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { sessionQuery, signOut } from '../api/session.ts'
import { IconButton } from '../ui/button.tsx'
import { Menu, MenuHeading, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { changePreferences, usePreferences } from './preferences.ts'

const route = getRouteApi('/signed-in')
const THEMES = [
  { theme: 'system', label: 'As the system', icon: Monitor },
  { theme: 'light', label: 'Light', icon: Sun },
  { theme: 'dark', label: 'Dark', icon: Moon },
] as const

export function PersonMenu() {
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
        E-mail and password
      </MenuItem>
      <MenuSeparator />
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
  return async () => {
    await signOut()
    queryClient.clear()
    queryClient.setQueryData(sessionQuery.queryKey, null)
    await router.navigate({ to: '/sign-in' })
  }
}
