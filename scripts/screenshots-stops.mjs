// What there are pictures of: a name, an address, and where something has to be opened first, how, and what then shows.
const RANGES = ['-15m', '-1h', '-6h', '-24h', '-3d', '-7d', '-30d']
const SECTIONS = [
  'keys',
  'ingest',
  'calls',
  'project',
  'redaction',
  'repository',
  'sourcemaps',
  'alerts',
  'grouping',
  'members',
  'audit',
]
/** Only a service with a public https address knows OAuth clients, so this one is told here. */
const CLIENT = { name: 'Claude Code', host: '127.0.0.1:8976', isLocal: true, documentHost: null }
const CONSENT = { client: CLIENT, problem: null, refuseTo: 'http://127.0.0.1:8976/callback' }

const button = (page, name) => page.getByRole('button', { name, exact: true })
const press = (keys) => (page) => page.keyboard.press(keys)

export function stopsOf(origin, { empty, full, recordId, deployId, analysisId, invitation }) {
  const at = (id, path) => `${origin}/projects/${id}/${path}`
  const record = at(full, `logs?from=-6h&query=level:error&record=${recordId}`)
  return [
    { name: 'sign-in', url: `${origin}/sign-in`, isStranger: true },
    { name: 'sign-in-refused', url: `${origin}/sign-in`, isStranger: true, act: signInWrongly, opens: 'alert' },
    { name: 'invitation', url: invitation, isStranger: true },
    {
      name: 'consent',
      url: `${origin}/oauth/authorize?client_id=pictures`,
      answers: [['**/api/oauth/preview', CONSENT]],
    },
    { name: 'account', url: `${origin}/account` },
    { name: 'projects', url: `${origin}/projects` },
    { name: 'overview', url: at(full, 'overview') },
    { name: 'overview-7d', url: at(full, 'overview?from=-7d') },
    { name: 'overview-empty', url: at(empty, 'overview') },
    { name: 'logs-empty', url: at(empty, 'logs') },
    ...RANGES.map((from) => ({ name: `logs${from}`, url: at(full, `logs?from=${from}`) })),
    { name: 'logs-query', url: at(full, 'logs?from=-6h&query=level:error&columns=http.status') },
    { name: 'logs-nothing', url: at(full, 'logs?query=nothing-says-this') },
    { name: 'logs-error', url: at(full, 'logs?query=service:(a OR') },
    { name: 'logs-before', url: at(full, 'logs?from=-6h&bars=errors&before=on') },
    { name: 'logs-record', url: record },
    { name: 'logs-trace', url: record, act: (page) => button(page, 'Show the trace').click() },
    { name: 'logs-patterns', url: at(full, 'logs?from=-6h&view=patterns') },
    { name: 'logs-groups', url: at(full, 'logs?from=-6h&view=groups&group=service') },
    { name: 'logs-groups-lines', url: at(full, 'logs?from=-6h&view=groups&group=service&chart=lines') },
    { name: 'logs-live', url: at(full, 'logs?live=on') },
    {
      name: 'logs-marker',
      url: at(full, 'logs?from=-6h'),
      act: (page) => page.locator('[data-deploy]').last().hover(),
      opens: 'tooltip',
    },
    {
      name: 'logs-complete',
      url: at(full, 'logs?from=-6h'),
      act: (page) => page.getByRole('combobox', { name: 'Query' }).pressSequentially('service:'),
      opens: 'listbox',
    },
    { name: 'start', url: at(full, 'logs?start=open') },
    { name: 'help', url: at(full, 'logs'), act: press('?'), opens: 'dialog' },
    { name: 'palette', url: at(full, 'logs'), act: press('Control+k'), opens: 'dialog' },
    { name: 'range', url: at(full, 'logs'), act: press('t'), opens: 'dialog' },
    { name: 'analyses', url: at(full, 'analyses?from=-2d') },
    { name: 'analyses-selected', url: at(full, 'analyses?from=-2d'), act: selectThree },
    { name: 'analyses-empty', url: at(empty, 'analyses') },
    { name: 'analysis', url: at(full, `analyses/${analysisId}`) },
    { name: 'deploys', url: at(full, 'deploys') },
    { name: 'deploys-empty', url: at(empty, 'deploys') },
    { name: 'deploy', url: at(full, `deploys/${deployId}`) },
    { name: 'deploy-logs', url: at(full, `deploys/${deployId}`), act: followLink('Logs since this deploy') },
    { name: 'deploy-patterns', url: at(full, `deploys/${deployId}`), act: followLink('Patterns since this deploy') },
    ...SECTIONS.flatMap((section) => [
      { name: `settings-${section}`, url: at(full, `settings/${section}`) },
      { name: `settings-${section}-empty`, url: at(empty, `settings/${section}`) },
    ]),
    ...['Read', 'Ingest', 'Webhook'].map((kind) => ({
      name: `key-${kind.toLowerCase()}`,
      url: at(empty, 'settings/keys'),
      act: (page) => createKey(page, kind),
    })),
    { name: 'alert-channel', url: at(full, 'settings/alerts'), act: (page) => button(page, 'Add channel').click() },
    { name: 'alert-rule', url: at(full, 'settings/alerts'), act: (page) => button(page, 'Add rule').click() },
    { name: 'missing', url: `${origin}/projects/prj_none/logs` },
    { name: 'missing-page', url: at(full, 'nothing-is-here') },
  ]
}

async function signInWrongly(page) {
  await page.getByLabel('E-mail').fill('grace@example.com')
  await page.getByLabel('Password').fill('not the password')
  await button(page, 'Sign in').click()
}

async function selectThree(page) {
  for (const index of [1, 2, 3]) await page.getByRole('checkbox').nth(index).check()
}

const followLink = (name) => async (page) => {
  await page.getByRole('link', { name }).click()
  await page.getByRole('list', { name: /^(Records|Patterns)$/ }).waitFor()
}

async function createKey(page, kind) {
  await page
    .getByRole('region', { name: `${kind} keys` })
    .getByRole('button', { name: 'Create' })
    .click()
  await page.getByLabel('Name').fill('picture')
  await button(page, 'Create key').click()
  await page.getByText('Shown only once.').waitFor()
}
