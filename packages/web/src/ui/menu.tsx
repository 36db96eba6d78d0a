/** Menus. Their machinery is loaded when a trigger is approached or somebody first moves on the page, so that no page waits for it. */
import { cloneElement, lazy, type ReactNode, Suspense, useState } from 'react'
import type { MenuProps } from './menu-parts.tsx'
import { Awaited } from './skeleton.tsx'

export const loadMenus = () => import('./menu-parts.tsx')
const OpenMenu = lazy(() => loadMenus().then((module) => ({ default: module.OpenMenu })))
export const AnchoredMenu = lazy(() => loadMenus().then((module) => ({ default: module.AnchoredMenu })))
export const MenuItem = lazy(() => loadMenus().then((module) => ({ default: module.MenuItem })))
export const MenuSeparator = lazy(() => loadMenus().then((module) => ({ default: module.MenuSeparator })))

export function Menu({ trigger, children, align = 'start' }: MenuProps) {
  const [isWanted, setWanted] = useState(false)
  if (!isWanted) {
    return cloneElement(trigger, {
      onClick: () => setWanted(true),
      onPointerEnter: loadMenus,
      onFocus: loadMenus,
      'aria-haspopup': 'menu',
    })
  }
  return (
    <Suspense
      fallback={
        <>
          {trigger}
          <Awaited />
        </>
      }
    >
      <OpenMenu trigger={trigger} align={align}>
        {children}
      </OpenMenu>
    </Suspense>
  )
}

export function MenuHeading({ children }: { children: ReactNode }) {
  return <div className="px-2 pt-1.5 pb-1 text-tiny font-medium text-faint">{children}</div>
}
