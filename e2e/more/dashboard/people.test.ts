/** The dashboard for several people, in a real browser: invitations, roles, settings, redaction, and what the audit says of it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Look, lookAt, openPage, PATIENCE_MS, SCHEMES } from '../../support/browser/browser.ts'
import {
  asked,
  type Dashboard,
  loaded,
  MANY_PAGES_MS,
  openDashboard,
  type SignedIn,
  unexpected,
} from '../../support/browser/dashboard-owner.ts'
import { deployAt, recordAt, send } from '../../support/browser/dashboard-requests.ts'
import { clipboardOf } from '../../support/browser/logs-page.ts'
import { needsBrowser } from '../../support/browser/needs-browser.ts'
import { get } from '../../support/clients/reading-api.ts'
import { startService } from '../../support/service/service.ts'
import { settled } from '../../support/service/settled.ts'

const unavailable = needsBrowser()
const PASSWORD = 'a long enough password'
const SHA = 'a1b2c3d4e5f60718293a4b5c6d7e8f9012345678'

let dashboard: Dashboard
let otherProjectId: string
let maxLink: string
let max: SignedIn
let vera: SignedIn

beforeAll(async () => {
  if (unavailable !== undefined) return
  // Owners of the instance are members of every project, so nobody else's may be here.
  dashboard = await openDashboard('people-shop', await startService())
  const { origin, owner } = dashboard
  const { page } = await openPage(origin, { storageState: owner })
  const me = { email: 'ada@people-shop.example', name: 'Ada', password: PASSWORD }
  await asked(page, `${origin}/api/me`, me, 'PUT')
  otherProjectId = (await asked(page, `${origin}/api/projects`, { name: 'another-shop' })).project.id
  dashboard.owner = await page.context().storageState()
  await page.context().close()
})

// A page that is left open goes on asking, and the next one would have to wait behind it.
afterEach(() => dashboard?.leave())

const asOwner = (path: string, options: Parameters<Dashboard['visit']>[1] = {}) =>
  dashboard.visit(dashboard.at(path), { storageState: dashboard.owner, ...options })
const as = (person: SignedIn, path: string) => dashboard.visit(dashboard.at(path), { storageState: person })
const NOBODY: SignedIn = { cookies: [], origins: [] }
const asStranger = (link: string) =>
  dashboard.visit(new URL(link).pathname + new URL(link).hash, { storageState: NOBODY })
const dialogOf = (page: Page) => page.getByRole('dialog')
const memberRow = (page: Page, name: string) => page.getByRole('region', { name: 'Members' }).getByRole('row', { name })

/** Through the form of the settings; answers the link, which is shown nowhere else. */
async function invited(page: Page, email: string, role: string): Promise<string> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Role', { exact: true }).selectOption(role)
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByText(`The link for ${email}.`).waitFor()
  return (await page.locator('code').textContent()) ?? ''
}

async function joined(link: string, name: string): Promise<SignedIn> {
  const { page } = await asStranger(link)
  await page.getByRole('heading', { name: `Join ${dashboard.projectName}` }).waitFor()
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Join the project' }).click()
  await page.waitForURL(`**${dashboard.at('overview')}`)
  await page.getByRole('heading', { name: 'Overview' }).waitFor({ state: 'attached' })
  return page.context().storageState()
}

describe('an invitation', () => {
  it('is a link that is shown once', async () => {
    const { page, complaints } = await asOwner('settings/members')
    maxLink = await invited(page, 'max@shop.example', 'member')
    expect(maxLink).toMatch(new RegExp(`^${dashboard.origin}/invitation#\\S{20,}$`))
    await page.getByRole('row', { name: 'max@shop.example' }).getByText('member').waitFor()
    await page.reload()
    await page.getByRole('row', { name: 'max@shop.example' }).waitFor()
    expect(await page.content()).not.toContain(new URL(maxLink).hash.slice(1))
    expect(unexpected(complaints)).toEqual([])
  })

  it('lets the invited person choose a name and a password, and leads into the project', async () => {
    const { page, complaints } = await asStranger(maxLink)
    await page.getByText('For max@shop.example, as a member.').waitFor()
    expect(page.url()).toBe(`${dashboard.origin}/invitation`)
    await page.getByLabel('Name').fill('Max')
    await page.getByLabel('Password').fill('short')
    await page.getByRole('button', { name: 'Join the project' }).click()
    await page.getByRole('alert').first().waitFor()
    expect(await page.getByLabel('Password').getAttribute('aria-invalid')).toBe('true')
    expect(unexpected(complaints, 400)).toEqual([])
    await page.context().close()
    max = await joined(maxLink, 'Max')
  })

  it('works once', async () => {
    const { page } = await asStranger(maxLink)
    await page.getByRole('alert').getByText('This invitation was used, ended or replaced').waitFor()
    expect(await page.getByRole('button', { name: 'Join the project' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('is useless once it was withdrawn', async () => {
    const { page } = await asOwner('settings/members')
    const link = await invited(page, 'zoe@shop.example', 'owner')
    await page.getByRole('button', { name: 'Withdraw zoe@shop.example' }).click()
    await page.getByRole('row', { name: 'zoe@shop.example' }).waitFor({ state: 'detached' })
    // A link that no longer works is no longer offered.
    await page.locator('code').waitFor({ state: 'detached' })
    const stranger = await asStranger(link)
    await stranger.page.getByRole('alert').getByText('Ask for a new link').waitFor()
  })

  it('made after another shows its own link, also for the same person', async () => {
    const { page } = await asOwner('settings/members', { permissions: ['clipboard-read', 'clipboard-write'] })
    const links: string[] = []
    for (const email of ['eve@shop.example', 'eve@shop.example', 'eva@shop.example']) {
      const shown = page.locator('code')
      const before = links.at(-1)
      await page.getByLabel('E-mail').fill(email)
      await page.getByRole('button', { name: 'Invite' }).click()
      if (before !== undefined) await shown.filter({ hasText: before }).waitFor({ state: 'detached' })
      await page.getByText(`The link for ${email}.`).waitFor()
      links.push((await shown.textContent()) ?? '')
      await page.getByRole('button', { name: 'Copy Invitation link', exact: true }).click()
      await expect.poll(() => clipboardOf(page)).toBe(links.at(-1))
    }
    expect(new Set(links).size).toBe(3)
    const replaced = await asStranger(links[0] ?? '')
    await replaced.page.getByRole('alert').getByText('This invitation was used, ended or replaced').waitFor()
    const current = await asStranger(links[1] ?? '')
    await current.page.getByText('For eve@shop.example').waitFor()
  })

  it('makes a viewer of whoever is invited as one', async () => {
    const { page } = await asOwner('settings/members')
    vera = await joined(await invited(page, 'vera@shop.example', 'viewer'), 'Vera')
    await page.reload()
    await memberRow(page, 'Vera').waitFor()
    expect(await page.getByLabel('Role of Vera').inputValue()).toBe('viewer')
    expect(await page.getByLabel('Role of Max').inputValue()).toBe('member')
    expect(await memberRow(page, 'Ada').textContent()).toContain('Owner of the instance')
  })
})

describe('an invitation that somebody opens who is signed in', () => {
  /** To the other project, made by the owner. */
  async function linkFor(email: string): Promise<string> {
    const { origin, owner } = dashboard
    const { page } = await openPage(origin, { storageState: owner })
    const path = `/api/projects/${otherProjectId}/invitations`
    const { link } = await asked(page, `${origin}${path}`, { email, role: 'viewer' })
    await page.context().close()
    return link
  }

  /** With a session of its own, which may be ended. */
  async function signedInAgain(): Promise<SignedIn> {
    const { origin } = dashboard
    const { page } = await openPage(origin, { storageState: NOBODY })
    await asked(page, `${origin}/api/session`, { email: 'ada@people-shop.example', password: PASSWORD })
    const session = await page.context().storageState()
    await page.context().close()
    return session
  }

  const opened = (link: string, person: SignedIn) =>
    dashboard.visit(new URL(link).pathname + new URL(link).hash, { storageState: person })

  it('says of a wrong password that it is wrong, and ends nobody’s session', async () => {
    const link = await linkFor('vera@shop.example')
    const { page, complaints } = await opened(link, dashboard.owner)
    await page
      .getByText('You are signed in as ada@people-shop.example. Enter the password of the invited account')
      .waitFor()
    await page.getByLabel('Password').fill('not the password')
    await page.getByRole('button', { name: 'Join the project' }).click()
    await page.getByRole('alert').getByText('The e-mail or the password is wrong').waitFor()
    expect(page.url()).toBe(`${dashboard.origin}/invitation`)
    expect(unexpected(complaints, 401)).toEqual([])
    await page.goto(`${dashboard.origin}${dashboard.at('settings/members')}`)
    await memberRow(page, 'Ada').waitFor()
  })

  it('asks the invited person for nothing', async () => {
    const { page } = await opened(await linkFor('vera@shop.example'), vera)
    await page.getByText('For vera@shop.example, as a viewer. You are signed in with this e-mail.').waitFor()
    await page.getByRole('button', { name: 'Join the project' }).waitFor()
    expect(await page.locator('input').count()).toBe(0)
  })

  it('has somebody else sign out before a new account is made', async () => {
    const { page, complaints } = await opened(await linkFor('kim@shop.example'), await signedInAgain())
    await page.getByText('You are signed in as ada@people-shop.example. Sign out to accept').waitFor()
    expect(await page.locator('input').count()).toBe(0)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('For kim@shop.example, as a viewer. Choose a name and a password.').waitFor()
    await page.getByLabel('Name').fill('Kim')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Join the project' }).click()
    await page.waitForURL(`**/projects/${otherProjectId}/overview`)
    expect(unexpected(complaints)).toEqual([])
  })
})

describe('a viewer', () => {
  it('is offered nothing that would change the project, and told why', async () => {
    const { page, complaints } = await as(vera, 'settings/keys')
    const why = {
      keys: 'API & MCP keys: not for viewers',
      redaction: 'Redaction: not for viewers',
      alerts: 'Alerts: not for viewers',
      grouping: 'Grouping rules: for owners only',
      audit: 'Audit: for owners only',
      project: 'Only owners can change these.',
      members: 'Only owners can change them.',
      repository: 'Only owners can change it.',
    }
    for (const [section, reason] of Object.entries(why)) {
      const link = page.getByRole('navigation', { name: 'Settings' }).locator(`a[href$="/settings/${section}"]`)
      await link.click()
      await page.getByRole('main').getByText(reason).waitFor()
      for (const role of ['button', 'combobox'] as const) {
        expect(await page.getByRole('main').getByRole(role).count(), `${role} in ${section}`).toBe(0)
      }
      expect(await page.getByRole('main').locator('input:enabled, textarea:enabled').count(), section).toBe(0)
    }
    expect(unexpected(complaints)).toEqual([])
  })

  it('finds nothing at the pages of another project, as at those of none', async () => {
    for (const path of ['logs', 'settings/members']) {
      for (const id of [otherProjectId, 'prj_none']) {
        const { page } = await dashboard.visit(`/projects/${id}/${path}`, { storageState: vera })
        await page.getByText('There is nothing at this address').waitFor()
        expect(await page.content()).not.toContain('another-shop')
        await dashboard.leave()
      }
    }
  })
})

describe('a forgotten password', () => {
  it('is replaced through a link that an owner creates, which signs the member out everywhere else', async () => {
    const { page } = await asOwner('settings/members')
    expect(await memberRow(page, 'Ada').getByRole('button').count()).toBe(0)
    await page.getByRole('button', { name: 'Reset the password of Vera' }).click()
    await dialogOf(page).getByText('Creates a link with which vera@shop.example').waitFor()
    await dialogOf(page).getByRole('button', { name: 'Create link' }).click()
    const link = (await dialogOf(page).locator('code').textContent()) ?? ''

    const { page: opened, complaints } = await asStranger(link)
    await opened.getByText('For vera@shop.example').waitFor()
    expect(opened.url()).toBe(`${dashboard.origin}/reset-password`)
    await opened.getByLabel('New password').fill('password')
    await opened.getByRole('button', { name: 'Set password' }).click()
    await opened.getByText('is one of the first that anybody would try').first().waitFor()
    expect(unexpected(complaints, 400)).toEqual([])
    await opened.getByLabel('New password').fill('another long password')
    await opened.getByRole('button', { name: 'Set password' }).click()
    await opened.getByRole('heading', { name: 'Overview' }).waitFor({ state: 'attached' })
    const before = await as(vera, 'overview')
    await before.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    vera = await opened.context().storageState()
    const again = await asStranger(link)
    await again.page.getByRole('alert').getByText('This link was used').waitFor()
  })
})

describe('a member', () => {
  it('changes no settings, and no longer sees the keys once made a viewer', async () => {
    const { page } = await as(max, 'settings/keys')
    await page.getByRole('heading', { name: 'Read keys' }).waitFor()
    await page.getByRole('link', { name: 'Redaction' }).click()
    await page.getByText('Only owners can change them.').waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)

    const owner = await asOwner('settings/members')
    await owner.page.getByLabel('Role of Max').selectOption('viewer')
    await owner.page.getByLabel('Role of Max').and(owner.page.locator(':enabled')).waitFor()
    await owner.page.reload()
    await memberRow(owner.page, 'Max').waitFor()
    expect(await owner.page.getByLabel('Role of Max').inputValue()).toBe('viewer')
    await page.goto(`${dashboard.origin}${dashboard.at('settings/keys')}`)
    await page.getByText('API & MCP keys: not for viewers').waitFor()
  })

  it('loses the project with the next request after being removed', async () => {
    const { page } = await as(max, 'settings/members')
    await memberRow(page, 'Max').waitFor()
    const owner = await asOwner('settings/members')
    await owner.page.getByRole('button', { name: 'Remove Max' }).click()
    await dialogOf(owner.page).getByText('They lose access with their next request.').waitFor()
    await dialogOf(owner.page).getByRole('button', { name: 'Remove' }).click()
    await memberRow(owner.page, 'Max').waitFor({ state: 'detached' })
    // Nothing is loaded anew: the next question of the open page is refused, and with the project the session is gone.
    await page.getByRole('link', { name: 'Deploys' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByLabel('E-mail').fill('max@shop.example')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('There is nothing at this address').waitFor()
    await page.getByRole('link', { name: 'Go to your projects' }).click()
    await page.getByText('You are not a member of a project yet').waitFor()
    expect(await page.getByRole('button', { name: 'Create project' }).count()).toBe(0)
    await page.goto(`${dashboard.origin}/account`)
    await page.getByRole('link', { name: 'Go to your projects' }).click()
    await page.waitForURL(`${dashboard.origin}/projects`)
  })
})

describe('redaction', () => {
  it('shows what is wrong with a rule at the rule, tries it before it is saved, and then applies it', async () => {
    const { page, complaints } = await asOwner('settings/redaction')
    const rules = page.getByLabel('Your own rules', { exact: true })
    const problem = async () => page.locator(`[id="${await rules.getAttribute('aria-describedby')}"]`).textContent()
    await page.getByLabel('Sample').fill('refund for KD-12345678')
    await rules.fill('no rule')
    expect(await problem()).toContain('"no rule" needs a name, a colon and a pattern')
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await rules.fill('customer-number: KD-(\\d{8}')
    for (const name of ['Try', 'Save']) {
      await page.getByRole('button', { name, exact: true }).click()
      await page.locator('p', { hasText: /^customer-number: / }).waitFor()
      expect(await rules.getAttribute('aria-invalid')).toBe('true')
      expect(await problem()).toMatch(/^customer-number: /)
      await rules.press('End')
      await rules.press('Space')
      expect(await rules.getAttribute('aria-invalid')).toBe(null)
    }
    await rules.fill('customer-number: KD-\\d{8}')
    await page.getByRole('button', { name: 'Try', exact: true }).click()
    await page.getByText('refund for [REDACTED:customer-number]').waitFor()
    await page.getByText('customer-number × 1').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved. It applies to records that arrive from now on').waitFor()
    await page.reload()
    expect(await rules.inputValue()).toBe('customer-number: KD-\\d{8}')
    expect(unexpected(complaints, 400)).toEqual([])

    const { origin, keys } = dashboard
    await send(origin, keys, [recordAt(Date.now(), 'refund for KD-12345678', { level: 'error' })])
    expect(await messageOf('refund')).toBe('refund for [REDACTED:customer-number]')
  })
})

async function messageOf(word: string): Promise<string> {
  const { service, keys } = dashboard
  const giveUpAt = Date.now() + PATIENCE_MS
  for (;;) {
    const { body } = await get(service, keys.readKey, '/api/logs', { query: word })
    if (body.rows?.length > 0) return body.rows[0].message
    if (Date.now() > giveUpAt) throw new Error(`There is no record with ${word}.`)
    await sleep(500)
  }
}

describe('redaction that two owners change', () => {
  it('keeps what both have saved', async () => {
    const { page, complaints } = await asOwner('settings/redaction')
    const rules = page.getByLabel('Your own rules', { exact: true })
    await expect.poll(() => rules.inputValue()).toBe('customer-number: KD-\\d{8}')
    const theirs = { name: 'theirs', pattern: 'TH-\\d+' }
    const redaction = {
      rules: [{ name: 'customer-number', pattern: 'KD-\\d{8}' }, theirs],
      fields: ['ssn'],
      disabled: [],
    }
    await asked(page, `${dashboard.origin}/api${dashboard.at('').replace(/\/$/, '')}`, { redaction }, 'PATCH')
    await rules.fill('customer-number: KD-\\d{8}\nmine: MI-\\d+')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved. It applies to records that arrive from now on').waitFor()
    expect(await rules.inputValue()).toBe('customer-number: KD-\\d{8}\ntheirs: TH-\\d+\nmine: MI-\\d+')
    await page.reload()
    await expect.poll(() => rules.inputValue()).toBe('customer-number: KD-\\d{8}\ntheirs: TH-\\d+\nmine: MI-\\d+')
    expect(await page.getByLabel('Attributes that are always replaced').inputValue()).toBe('ssn')
    expect(unexpected(complaints)).toEqual([])
  })
})

describe('the settings of a project', () => {
  it('are saved, shown in the frame at once, and there again later', async () => {
    const { page, complaints } = await asOwner('settings/project')
    await page.getByLabel('Name').fill('corner-shop')
    await page.getByLabel('Default environment').fill('staging')
    await page.getByLabel('Retention in days').fill('100000')
    await page.getByLabel('Monthly quota').fill('250000')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').first().waitFor()
    expect(await page.getByLabel('Retention in days').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Retention in days').fill('31')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    await page.getByRole('button', { name: 'Project corner-shop' }).waitFor()
    await page.getByText('Of the quota').waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Save' }).waitFor()
    const shown = ['Name', 'Default environment', 'Retention in days', 'Monthly quota']
    const values = await Promise.all(shown.map((label) => page.getByLabel(label).inputValue()))
    expect(values).toEqual(['corner-shop', 'staging', '31', '250000'])
    expect(unexpected(complaints, 400)).toEqual([])
  })

  it('delete nothing by a shorter retention before somebody has seen how many records go', async () => {
    const { origin, keys, service, at } = dashboard
    const oldMs = Date.now() - 20 * 86_400_000
    await send(origin, keys, [recordAt(oldMs, 'old'), recordAt(oldMs + 1, 'old too')])
    await settled(service)
    const { page } = await asOwner('settings/project')
    const retention = async () => {
      const answer = await page.request.get(`${origin}/api${at('').replace(/\/$/, '')}`)
      return (await answer.json()).retentionDays
    }
    const isPreview = /\/retention\/preview/
    const error = { code: 'internal', message: 'The log store is away.' }
    await page.route(isPreview, (route) => route.fulfill({ status: 500, json: { error } }))
    await page.getByLabel('Retention in days').fill('14')
    await page.getByRole('button', { name: 'Save' }).click()
    const question = page.getByRole('dialog', { name: 'Keep records for 14 days instead of 31?' })
    await question.getByText('The records that go could not be counted. The log store is away.').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    await page.unroute(isPreview)
    const counting = page.waitForRequest(isPreview)
    await page.getByRole('button', { name: 'Save' }).click()
    expect((await counting).postDataJSON()).toEqual({ retentionDays: 14 })
    await question.getByText('This deletes 2 records from before').waitFor()
    expect(await retention()).toBe(31)
    await question.getByRole('button', { name: 'Delete and save' }).click()
    await page.getByText('Saved').waitFor()
    await question.waitFor({ state: 'detached' })
    expect(await retention()).toBe(14)
  })

  it('keep some records longer or shorter by rule, after saying what goes', async () => {
    const { origin, keys, service } = dashboard
    const oldMs = Date.now() - 10 * 86_400_000
    await send(origin, keys, [recordAt(oldMs, 'old debug', { level: 'debug' }), recordAt(oldMs, 'old info')])
    await settled(service)
    const { page, complaints } = await asOwner('settings/project')
    const rules = page.getByLabel('Retention rules')
    await rules.fill('level:error,fatal 90\nlevel:loud 3')
    await page.getByText('Line 2: "loud" is not a level.').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await rules.fill('level:error,fatal 90\nlevel:debug,trace 4')
    await page.getByRole('button', { name: 'Save' }).click()
    const question = page.getByRole('dialog', { name: 'Change how long records are kept?' })
    await question.getByText('This deletes 1 record (level trace or debug) from before').waitFor()
    await question.getByRole('button', { name: 'Delete and save' }).click()
    await page.getByText('Saved').waitFor()
    await page.reload()
    await expect.poll(() => rules.inputValue()).toBe('level:error,fatal 90\nlevel:trace,debug 4')
    await rules.fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await question.getByRole('button', { name: 'Save' }).click()
    await question.waitFor({ state: 'detached' })
    expect(unexpected(complaints)).toEqual([])
  })
})

describe('a way on', () => {
  it('leads where it says: from the account to the overview, and from a dialog to the page below it', async () => {
    const { page } = await dashboard.visit('/account', { storageState: vera })
    await page.getByRole('link', { name: 'Go to the overview' }).click()
    await page.waitForURL(`**${dashboard.at('overview')}`)
    await page.goto(`${dashboard.origin}${dashboard.at('deploys?start=open')}`)
    await page.getByRole('button', { name: 'Next: connect an agent' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await dialogOf(page).waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe(dashboard.at('deploys'))
  })
})

describe('the audit', () => {
  it('lists what was done, by whom', async () => {
    const { page, complaints } = await asOwner('settings/audit')
    const rows = page.getByRole('region', { name: 'Audit' }).getByRole('row')
    await rows.nth(1).waitFor()
    const texts = await rows.allTextContents()
    const done = (who: string, what: string, detail: string) =>
      texts.filter((text) => text.includes(`${who}${what}`) && text.includes(detail)).length
    expect(done('Ada', 'Invitation created', 'max@shop.example')).toBe(1)
    expect(done('Max', 'Member added', '')).toBe(1)
    expect(done('Ada', 'Invitation withdrawn', 'zoe@shop.example')).toBe(1)
    expect(done('Vera', 'Member added', '')).toBe(1)
    expect(done('Ada', 'Role changed', 'viewer')).toBe(1)
    expect(done('Ada', 'Member removed', '')).toBe(1)
    expect(done('Ada', 'Settings changed', 'redaction')).toBe(3)
    expect(done('Ada', 'Project ', 'corner-shop')).toBeGreaterThan(0)
    // No entry holds what a link or a key opens.
    for (const secret of [new URL(maxLink).hash.slice(1), dashboard.keys.readKey]) {
      expect(texts.join('\n')).not.toContain(secret)
    }
    expect(unexpected(complaints)).toEqual([])
  })
})

describe('every page and dialog', () => {
  const look: Look = { light: [], dark: [], tooWide: [], tooLong: [] }
  const ofAStranger: Look = { light: [], dark: [], tooWide: [], tooLong: [] }
  const EASY_TO_LOOK_AT = { bypassCSP: true } as const

  beforeAll(async () => {
    if (unavailable !== undefined) return
    const { origin, keys } = dashboard
    const more = { sha: SHA, message: 'Round totals', url: 'https://ci.example/runs/1', metadata: { runner: 'a' } }
    await deployAt(origin, keys, Date.now() - 600_000, more)
    await lookAround()
    await lookAroundAsAStranger()
  }, MANY_PAGES_MS)

  async function lookAround() {
    const { origin } = dashboard
    const { page } = await asOwner('settings/keys', EASY_TO_LOOK_AT)
    const opened = async (name: string) => {
      await dialogOf(page).waitFor()
      await lookAt(page, name, look)
      await page.keyboard.press('Escape')
      await dialogOf(page).waitFor({ state: 'detached' })
    }
    await page.getByRole('button', { name: 'Create' }).first().click()
    await opened('create key')
    await page
      .getByRole('button', { name: /^Revoke/ })
      .first()
      .click()
    await opened('confirm revoke')
    await page.keyboard.press('Control+k')
    await opened('command palette')
    await page.keyboard.press('?')
    await opened('shortcut help')
    await page.goto(`${origin}${dashboard.at('deploys?start=open')}`)
    await opened('start dialog')
    await page.getByRole('listitem').filter({ hasText: 'a1b2c3d' }).getByRole('link').first().click()
    await page.getByRole('heading', { name: 'a1b2c3d' }).waitFor()
    await loaded(page)
    await lookAt(page, 'deploy', look)
    for (const path of ['/projects', '/account']) {
      await page.goto(`${origin}${path}`)
      await loaded(page)
      await lookAt(page, path, look)
    }
    await dashboard.leave()
  }

  async function lookAroundAsAStranger() {
    const { origin, at } = dashboard
    const owner = await openPage(origin, { storageState: dashboard.owner })
    const invitation = { email: 'axe@shop.example', role: 'member' }
    const { link } = await asked(owner.page, `${origin}/api${at('invitations')}`, invitation)
    await owner.page.context().close()
    const { page } = await dashboard.visit('/sign-in', { storageState: NOBODY, ...EASY_TO_LOOK_AT })
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await lookAt(page, 'sign in', ofAStranger)
    await page.goto(link)
    await page.getByRole('heading', { name: 'Join corner-shop' }).waitFor()
    await lookAt(page, 'invitation', ofAStranger)
    await dashboard.leave()
  }

  it.each(SCHEMES)('has nothing serious for axe in %s', (scheme) => expect(look[scheme]).toEqual([]))
  it.each(SCHEMES)('of a stranger has nothing serious for axe in %s', (scheme) =>
    expect(ofAStranger[scheme]).toEqual([]),
  )
  it('ends where its content does', () => expect([...look.tooLong, ...ofAStranger.tooLong]).toEqual([]))
})
