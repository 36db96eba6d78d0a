/** Menus. Their machinery is loaded when a trigger is first approached, so that no page waits for it. */
import { cloneElement, lazy, type ReactNode, Suspense, useState } from 'react'
import type { MenuProps } from './menu-parts.tsx'

const load = () => import('./menu-parts.tsx')
const OpenMenu = lazy(() => load().then((module) => ({ default: module.OpenMenu })))
export const AnchoredMenu = lazy(() => load().then((module) => ({ default: module.AnchoredMenu })))
export const MenuItem = lazy(() => load().then((module) => ({ default: module.MenuItem })))
export const MenuSeparator = lazy(() => load().then((module) => ({ default: module.MenuSeparator })))

export function Menu({ trigger, children, align = 'start' }: MenuProps) {
  const [isWanted, setWanted] = useState(false)
  if (!isWanted) {
    return cloneElement(trigger, {
      onClick: () => setWanted(true),
      onPointerEnter: load,
      onFocus: load,
      'aria-haspopup': 'menu',
    })
  }
  return (
    <Suspense fallback={trigger}>
      <OpenMenu trigger={trigger} align={align}>
        {children}
      </OpenMenu>
    </Suspense>
  )
}

export function MenuHeading({ children }: { children: ReactNode }) {
  return <div className="px-2 pt-1.5 pb-1 text-tiny font-medium text-faint">{children}</div>
}
