import { QueryClient } from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import { readAddress } from '@tidemark/wire/dashboard/address'
import { expect, it } from 'vitest'
import { needsSession, openRouter } from './router.tsx'

it('every page of a project has an address that a pasted link is read with', () => {
  const paths = Object.keys(openRouter(new QueryClient()).routesByPath)
  const ofProject = paths.filter((path) => path.startsWith('/projects/$projectId') && !path.endsWith('/$'))
  expect(ofProject.length).toBeGreaterThan(8)
  for (const path of ofProject) {
    const address = readAddress(path.replaceAll('$', 'x'), '')
    expect([path, address?.projectId, address?.page?.name]).toEqual([path, 'xprojectId', expect.any(String)])
  }
})

it('only where somebody has to be signed in can a session be lost', () => {
  const router = openRouter(new QueryClient())
  const needing = (path: string) => {
    router.update({ ...router.options, history: createMemoryHistory({ initialEntries: [path] }) })
    return needsSession(router)
  }
  expect(['/sign-in', '/welcome', '/invitation', '/reset-password'].filter(needing)).toEqual([])
  const inside = ['/account', '/projects', '/oauth/authorize?x=y', '/projects/p/logs?q=x', '/projects/p/settings/keys']
  expect(inside.filter(needing)).toEqual(inside)
})
