/** A signed-in owner with a project: where most of the dashboard's tests begin. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { RETRYABLE_STATUSES } from '../../../packages/wire/src/retryable.ts'
import { withControl } from '../service/ingest-project.ts'
import { type Service, sharedService } from '../service/service.ts'
import { openPage, type WatchedPage } from './browser.ts'
import type { FirstKeys } from './dashboard-requests.ts'

/** For a test that opens one page after the other. */
export const MANY_PAGES_MS = 600_000

type Options = NonNullable<Parameters<typeof openPage>[1]>
export type SignedIn = NonNullable<Options['storageState']>

export type Dashboard = {
  service: Service
  origin: string
  projectId: string
  projectName: string
  keys: FirstKeys
  owner: SignedIn
  /** A page of its own, closed by `leave`. */
  visit(path: string, options?: Options): Promise<WatchedPage>
  leave(): Promise<void>
  /** The path of a page of the project. */
  at(path: string): string
}

/** `shop` is in the owner's e-mail and in the project's name: accounts and names are shared by the whole service. */
export async function openDashboard(shop: string, own?: Service): Promise<Dashboard> {
  const service = own ?? (await sharedService())
  const origin = `http://localhost:${service.port}`
  const owner = await signedInOwner(service, `ada@${shop}.example`)
  const { page } = await openPage(origin, { storageState: owner })
  const created = await asked(page, `${origin}/api/projects`, { name: shop })
  await page.context().close()
  const opened: WatchedPage[] = []
  return {
    service,
    origin,
    owner,
    projectId: created.project.id,
    projectName: shop,
    keys: { ingestKey: created.ingestKey, readKey: created.readKey },
    async visit(path, options = {}) {
      const visited = await openPage(origin, {
        viewport: { width: 1440, height: 900 },
        storageState: owner,
        ...options,
      })
      opened.push(visited)
      await visited.page.goto(`${origin}${path}`)
      return visited
    },
    async leave() {
      await Promise.all(opened.splice(0).map(({ page: left }) => left.context().close()))
    },
    at: (path) => `/projects/${created.project.id}/${path}`,
  }
}

async function signedInOwner(service: Service, email: string): Promise<SignedIn> {
  const session = await withControl(service, async (control) => {
    const owner = { email, name: 'Ada', role: 'owner', passwordHash: null } as const
    const { id: personId } = await control.accounts.create(owner, { by: 'operator', nowMs: Date.now() })
    return control.sessions.open({ personId, origin: 'owner_link', replaces: undefined, address: '' }, Date.now())
  })
  return { cookies: [sessionCookie(session)], origins: [] }
}

export function sessionCookie(value: string) {
  const cookie = { name: 'tidemark_session', value, domain: 'localhost', path: '/', expires: -1 }
  return { ...cookie, httpOnly: true, secure: false, sameSite: 'Lax' } as const
}

/** As our own pages ask: with the session's cookie and the header that proves where it comes from. */
export async function asked(
  page: Page,
  url: string,
  data: unknown,
  method = 'POST',
  // biome-ignore lint/suspicious/noExplicitAny: each caller knows the shape it asks for
): Promise<any> {
  const headers = { 'X-Requested-With': 'tidemark', Origin: new URL(url).origin }
  const answer = await page.request.fetch(url, { method, data, headers })
  if (!answer.ok()) throw new Error(`${url} answered ${answer.status()}: ${await answer.text()}`)
  return answer.json()
}

/** A busy engine may refuse longer than the page tries by itself; then a visitor tries again. */
export async function loaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
  await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' })
  const again = page.getByRole('alert').getByRole('button', { name: 'Retry' }).first()
  while (await again.isVisible()) {
    await again.click()
    await page.waitForTimeout(2_000)
  }
}

/** A busy engine may ask to come back later; the page does, and a visitor notices nothing. */
export const unexpected = (complaints: readonly string[], ...expected: number[]) =>
  complaints.filter(
    (text) => ![...RETRYABLE_STATUSES, ...expected].some((status) => text.includes(`a status of ${status}`)),
  )

/** Keys that belong together count only in quick succession, which a slow machine may not manage the first time. */
export async function pressUntil(page: Page, keys: readonly string[], shown: Locator): Promise<void> {
  await expect
    .poll(async () => {
      for (const key of keys) await page.keyboard.press(key)
      return shown.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      )
    })
    .toBe(true)
}
