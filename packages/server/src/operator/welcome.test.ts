import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { loadConfig } from '../config/config.ts'
import { settingsFor, welcomeText } from './welcome.ts'

const running = {
  publicUrl: 'http://localhost:4911',
  ingestUrl: 'http://localhost:4911',
  syslog: undefined,
  ownerLink: undefined,
}
const settings = (env: Record<string, string>) => settingsFor(loadConfig(env).storage)

it('prints the variables without which the next command would use another store', () => {
  expect(settings({})).toEqual([])
  expect(settings({ TIDEMARK_DATA_DIR: 'my data' })).toEqual([`export TIDEMARK_DATA_DIR='${resolve('my data')}'`])
  const text = welcomeText({ ...running, settings: settings({ TIDEMARK_DATA_DIR: '/srv/logs' }) })
  expect(text).toContain('  export TIDEMARK_DATA_DIR=/srv/logs\n  npx tidemark project create my-shop\n')
})

it('names the variables of an external database, never their values', () => {
  const env = { TIDEMARK_DATABASE_URL: 'postgres://ada:hidden@db/tidemark', TIDEMARK_SECRET_KEY: 'k'.repeat(32) }
  expect(settings(env)).toEqual(['# with TIDEMARK_DATABASE_URL and TIDEMARK_SECRET_KEY set as for this service'])
})
