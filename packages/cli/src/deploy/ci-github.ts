import { readFileSync } from 'node:fs'
import type { CiRun, Environment } from './ci-systems.ts'

type Event = {
  pull_request?: { head?: { sha?: string; ref?: string } }
  head_commit?: { id?: string; message?: string; author?: { name?: string } } | null
}

/** For a pull request GITHUB_SHA is a merge commit that nobody has; the event knows the commit that was pushed. */
export function githubRun(env: Environment): CiRun {
  const { pull_request: pullRequest, head_commit: commit } = eventOf(env.GITHUB_EVENT_PATH)
  const sha = pullRequest?.head?.sha ?? env.GITHUB_SHA
  const isAbout = commit?.id === undefined || commit.id === sha
  return {
    sha,
    ref: (env.GITHUB_HEAD_REF || undefined) ?? pullRequest?.head?.ref ?? env.GITHUB_REF_NAME,
    message: isAbout ? commit?.message : undefined,
    author: (isAbout ? commit?.author?.name : undefined) ?? env.GITHUB_ACTOR,
    runUrl:
      env.GITHUB_SERVER_URL && `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}/actions/runs/${env.GITHUB_RUN_ID}`,
    run: [env.GITHUB_REPOSITORY, env.GITHUB_RUN_ID, env.GITHUB_JOB],
  }
}

function eventOf(path: string | undefined): Event {
  if (!path) return {}
  try {
    const event: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return typeof event === 'object' && event !== null ? event : {}
  } catch {
    return {}
  }
}
