/** What the pages of the settings say and show where nothing was entered or sent yet. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { asked, type Dashboard, loaded, openDashboard } from '../../support/browser/dashboard-owner.ts'
import { needsBrowser } from '../../support/browser/needs-browser.ts'

const unavailable = needsBrowser()
let dashboard: Dashboard

beforeAll(async () => {
  if (unavailable === undefined) dashboard = await openDashboard('settings-shop')
})

afterEach(() => dashboard?.leave())

describe('a form of the settings', () => {
  it.each([
    ['settings/redaction', 'Attributes that are always replaced', 'For example: user.email'],
    ['settings/redaction', 'Your own rules', 'For example: customer-number: KD-'],
    ['settings/project', 'Retention rules', 'For example: level:debug,trace 3'],
  ])(
    'shows an example below a field rather than in it, where it would look saved: %s, %s',
    async (path, label, says) => {
      const { page } = await dashboard.visit(dashboard.at(path))
      const field = page.getByLabel(label, { exact: true })
      await page.getByText(says).waitFor()
      expect([await field.inputValue(), await field.getAttribute('placeholder')]).toEqual(['', null])
    },
  )
})

it('switches a built-in rule off and on where it is ticked, and the tester goes by it before it is saved', async () => {
  const { page } = await dashboard.visit(dashboard.at('settings/redaction'))
  const rule = page.getByRole('group', { name: 'Built-in rules' }).getByLabel('Card numbers (card-number)')
  const trial = page.getByRole('status').filter({ hasText: 'paid with' })
  await page.getByLabel('Sample').fill('paid with 4111 1111 1111 1111')
  await page.getByRole('button', { name: 'Try' }).click()
  await trial.getByText('card-number × 1').waitFor()
  await rule.uncheck()
  await page.getByRole('button', { name: 'Try' }).click()
  await trial.getByText('Nothing was replaced.').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Redaction' }).waitFor()
  expect(await rule.isChecked()).toBe(false)
  await rule.check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
})

describe('a project that nothing was sent to', () => {
  it('has a line that uploads source maps, to be copied, and a way to the key that it needs', async () => {
    const { page } = await dashboard.visit(dashboard.at('settings/sourcemaps'))
    await page.getByText('tidemark sourcemaps upload dist --release "$(git rev-parse HEAD)"').waitFor()
    await page.getByRole('button', { name: 'Copy command' }).waitFor()
    await page.getByRole('link', { name: 'Create an ingest key' }).click()
    await page.getByRole('heading', { name: 'Ingest keys' }).waitFor()
  })

  it.each([
    ['logs', 'No records yet'],
    ['overview', 'No records yet'],
    ['analyses', 'No records yet'],
    ['deploys', 'No deploys yet'],
  ])('shows the whole line to run, with Copy above it, and a way to the key: %s', async (path, title) => {
    const { page } = await dashboard.visit(dashboard.at(path))
    await page.getByText(title).waitFor()
    const code = page.getByRole('main').locator('pre')
    const { scrolled, shown } = await code.evaluate((pre) => ({ scrolled: pre.scrollWidth, shown: pre.clientWidth }))
    expect(scrolled).toBeLessThanOrEqual(shown)
    const [copy, lines] = await Promise.all([
      page.getByRole('button', { name: 'Copy command' }).boundingBox(),
      code.boundingBox(),
    ])
    expect((copy?.y ?? 0) + (copy?.height ?? 0)).toBeLessThanOrEqual(lines?.y ?? 0)
    await page.getByRole('link', { name: 'Create an ingest key' }).click()
    await page.getByRole('heading', { name: 'Ingest keys' }).waitFor()
  })

  it('says of what runs elsewhere that it cannot reach an address of this computer', async () => {
    const { page } = await dashboard.visit(dashboard.at('deploys'))
    await page.getByText('A job that runs elsewhere cannot reach http://localhost').waitFor()
    await page.goto(`${dashboard.origin}${dashboard.at('settings/keys')}`)
    await page.getByRole('region', { name: 'Deploy webhook keys' }).getByRole('button', { name: 'Create' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('dialog').getByText('GitHub cannot reach http://localhost').waitFor()
  })

  it('offers no key to a viewer, who cannot make one', async () => {
    const { page } = await dashboard.visit('/projects')
    await page.route('**/api/session', async (route) => {
      const answer = await route.fetch()
      const session = await answer.json()
      const projects = session.projects.map((project: object) => ({ ...project, role: 'viewer' }))
      await route.fulfill({ json: { ...session, person: { ...session.person, role: 'person' }, projects } })
    })
    await page.goto(`${dashboard.origin}${dashboard.at('deploys')}`)
    await page.getByText('No deploys yet').waitFor()
    expect(await page.getByRole('link', { name: 'Create an ingest key' }).count()).toBe(0)
  })
})

describe('a time in the settings', () => {
  it('writes days out', async () => {
    const { page } = await dashboard.visit('/account')
    const name = 'ends soon'
    await asked(page, `${dashboard.origin}/api/projects/${dashboard.projectId}/keys`, {
      ...{ kind: 'ingest', name, expiresIn: '30d' },
    })
    await page.goto(`${dashboard.origin}${dashboard.at('settings/keys')}`)
    await page.getByRole('row').filter({ hasText: name }).getByText('in 30 days').waitFor()
    await page.goto(`${dashboard.origin}${dashboard.at('settings/ingest')}`)
    await loaded(page)
    await page.getByRole('columnheader', { name: 'Records, 7 days' }).waitFor()
    await page.getByRole('row').filter({ hasText: name }).getByText('Never', { exact: true }).waitFor()
    await page.goto(`${dashboard.origin}${dashboard.at('settings/members')}`)
    await page.getByText('good for 3 days and for one use').waitFor()
  })
})
