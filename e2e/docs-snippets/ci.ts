/**
 * Steps for CI systems. The step of GitHub Actions is carried out as the runner would: its inputs become the variables that
 * the action names, and the action's script runs. What GitLab includes must define what the job extends.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { checkout } from '../support/service/processes.ts'
import { parseYaml } from './plain-yaml.ts'
import type { Reader } from './reader.ts'

type Json = Record<string, unknown>
type Action = {
  inputs: Record<string, { required?: boolean; default?: string }>
  runs: { steps: { env: Record<string, string> }[] }
}

/** False when the configuration is not for a CI system known here. */
export async function tryCiConfiguration(config: unknown, reader: Reader): Promise<boolean> {
  if (Array.isArray(config)) {
    for (const step of config as Json[]) await tryGitHubStep(step, reader)
    return true
  }
  if (!('include' in (config as Json))) return false
  tryGitLabJobs(config as Json)
  return true
}

async function tryGitHubStep({ uses, with: given }: Json, reader: Reader): Promise<void> {
  expect(uses).toBe('./.github/actions/tidemark-deploy')
  const { inputs, runs } = parseYaml(readFileSync(join(checkout, 'ci/record-deploy/action.yml'), 'utf8')) as Action
  const values = given as Record<string, string>
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(values)))
  const required = Object.keys(inputs).filter((name) => inputs[name]?.required)
  expect(Object.keys(values)).toEqual(expect.arrayContaining(required))
  const contexts: Record<string, string> = {
    'vars.TIDEMARK_URL': reader.url,
    'secrets.TIDEMARK_INGEST_KEY': reader.ingestKey,
    'job.status': 'success',
  }
  for (const name of Object.keys(inputs)) {
    contexts[`inputs.${name}`] = filled(values[name] ?? inputs[name]?.default ?? '', contexts)
  }
  const [step] = runs.steps
  const variables = Object.entries(step?.env ?? {}).map(([name, value]) => `${name}=${quoted(filled(value, contexts))}`)
  reader.printed = await reader.shell(
    `env GITHUB_ACTIONS=true GITHUB_SHA=4f2a9c1 GITHUB_REPOSITORY=acme/shop GITHUB_RUN_ID=7 GITHUB_JOB=deploy GITHUB_SERVER_URL=https://github.com ${variables.join(' ')} bash ci/record-deploy/record-deploy.sh`,
  )
}

function tryGitLabJobs({ include, ...jobs }: Json): void {
  for (const { local = '' } of include as { local?: string }[]) {
    const template = join(checkout, local)
    expect(existsSync(template), template).toBe(true)
    for (const job of Object.values(jobs as Record<string, Json>)) {
      expect(readFileSync(template, 'utf8')).toContain(`\n${job.extends}:\n`)
    }
  }
}

/** What an event does not hold is empty. */
function filled(text: string, contexts: Record<string, string>): string {
  return text.replace(/\$\{\{\s*([\w.-]+)\s*\}\}/g, (_, name: string) => contexts[name] ?? '')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
