/** Where a commit and the run of CI that deployed it can be seen on the web. Strangers sent these: only http and https are links. */

import { hasHashForm } from '@tidemark/wire/deploys/revision'
import { isSeenWhole } from '@tidemark/wire/text/stranger-text'

/** Their addresses for git by ssh and for browsers differ in the form alone. */
const SAME_ON_THE_WEB = ['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org']

export function webAddress(text: string | null): string | null {
  if (text === null || !/^https?:\/\/[^/]/i.test(text) || !isSeenWhole(text)) return null
  return URL.canParse(text) ? text : null
}

/** Null where the repository has no address that a browser could open. */
export function repositoryAddress(url: string): string | null {
  const form = /^(?:(?<scheme>https?|ssh):\/\/)?(?:[^@/]+@)?(?<host>[^/:@]+)(?<port>:\d+)?[:/](?<path>[^?#]+)$/i.exec(
    url.trim(),
  )
  const { scheme = 'ssh', host = '', port = '', path = '' } = form?.groups ?? {}
  const isWeb = /^https?$/i.test(scheme)
  if (form === null || !(isWeb || SAME_ON_THE_WEB.includes(host.toLowerCase()))) return null
  const name = path
    .replace(/\/+$/, '')
    .replace(/\.git$/i, '')
    .replace(/^\/+/, '')
  return name === '' ? null : webAddress(`${isWeb ? scheme : 'https'}://${host}${isWeb ? port : ''}/${name}`)
}

export function commitAddress(url: string, sha: string): string | null {
  const repository = repositoryAddress(url)
  if (repository === null || !hasHashForm(sha)) return null
  const { hostname } = new URL(repository)
  if (hostname.includes('gitlab')) return `${repository}/-/commit/${sha}`
  return `${repository}/${hostname === 'bitbucket.org' ? 'commits' : 'commit'}/${sha}`
}
