import { QueryClient } from '@tanstack/react-query'
import { readAddress } from '@tidemark/wire/dashboard/address'
import { expect, it } from 'vitest'
import { openRouter } from './router.tsx'

it('every page of a project has an address that a pasted link is read with', () => {
  const paths = Object.keys(openRouter(new QueryClient()).routesByPath)
  const ofProject = paths.filter((path) => path.startsWith('/projects/$projectId') && !path.endsWith('/$'))
  expect(ofProject.length).toBeGreaterThan(8)
  for (const path of ofProject) {
    const address = readAddress(path.replaceAll('$', 'x'), '')
    expect([path, address?.projectId, address?.page?.name]).toEqual([path, 'xprojectId', expect.any(String)])
  }
})
