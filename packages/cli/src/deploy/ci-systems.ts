/**
 * What each CI system says about the run that deploys. A system is recognised by a variable that only it sets.
 *
 * `run` names the run and the step inside it, so that a step that is retried, or a job that is run again within the same
 * run, updates its deploy instead of adding one. So it leaves out the attempt number. A new run is a new deploy.
 */
import { readFileSync } from 'node:fs'
import type { Environment } from '../client/connection.ts'

type CiRun = {
  sha?: string | undefined
  ref?: string | undefined
  message?: string | undefined
  author?: string | undefined
  environment?: string | undefined
  runUrl?: string | undefined
  run: (string | undefined)[]
}

type CiSystem = { name: string; isHere(env: Environment): boolean; read(env: Environment): CiRun }

export const CI_SYSTEMS: readonly CiSystem[] = [
  { name: 'github', isHere: (env) => env.GITHUB_ACTIONS === 'true', read: githubRun },
  {
    name: 'gitlab',
    isHere: (env) => env.GITLAB_CI === 'true',
    read: (env) => ({
      sha: env.CI_COMMIT_SHA,
      ref: env.CI_COMMIT_REF_NAME,
      message: env.CI_COMMIT_MESSAGE,
      // `Ada Lovelace <ada@example.com>`: only the name is for everybody to see.
      author: env.CI_COMMIT_AUTHOR?.replace(/\s*<[^<>]*>\s*$/, ''),
      environment: env.CI_ENVIRONMENT_NAME,
      runUrl: env.CI_JOB_URL || env.CI_PIPELINE_URL,
      // The id of a job changes when it is retried, its name does not.
      run: [env.CI_SERVER_HOST, env.CI_PIPELINE_ID, env.CI_JOB_NAME],
    }),
  },
  {
    name: 'circleci',
    isHere: (env) => env.CIRCLECI === 'true',
    read: (env) => ({
      sha: env.CIRCLE_SHA1,
      ref: env.CIRCLE_TAG || env.CIRCLE_BRANCH,
      author: env.CIRCLE_USERNAME,
      runUrl: env.CIRCLE_BUILD_URL,
      run: [env.CIRCLE_WORKFLOW_ID, env.CIRCLE_JOB],
    }),
  },
  {
    name: 'buildkite',
    isHere: (env) => env.BUILDKITE === 'true',
    read: (env) => ({
      // A build may be started for a branch name; the agent then leaves `HEAD` there and git knows better.
      sha: env.BUILDKITE_COMMIT === 'HEAD' ? undefined : env.BUILDKITE_COMMIT,
      ref: env.BUILDKITE_TAG || env.BUILDKITE_BRANCH,
      message: env.BUILDKITE_MESSAGE,
      author: env.BUILDKITE_BUILD_AUTHOR || env.BUILDKITE_BUILD_CREATOR,
      runUrl: env.BUILDKITE_BUILD_URL,
      run: [env.BUILDKITE_BUILD_ID, env.BUILDKITE_STEP_KEY || env.BUILDKITE_STEP_ID],
    }),
  },
  {
    name: 'bitbucket',
    isHere: (env) => (env.BITBUCKET_BUILD_NUMBER ?? '') !== '',
    read: (env) => ({
      sha: env.BITBUCKET_COMMIT,
      ref: env.BITBUCKET_TAG || env.BITBUCKET_BRANCH,
      environment: env.BITBUCKET_DEPLOYMENT_ENVIRONMENT,
      runUrl:
        env.BITBUCKET_GIT_HTTP_ORIGIN &&
        `${env.BITBUCKET_GIT_HTTP_ORIGIN}/pipelines/results/${env.BITBUCKET_BUILD_NUMBER}`,
      run: [env.BITBUCKET_REPO_FULL_NAME, env.BITBUCKET_BUILD_NUMBER],
    }),
  },
  {
    name: 'jenkins',
    isHere: (env) => (env.JENKINS_URL ?? '') !== '',
    read: (env) => ({
      sha: env.GIT_COMMIT,
      ref: env.TAG_NAME || env.BRANCH_NAME || env.GIT_BRANCH?.replace(/^origin\//, ''),
      author: env.CHANGE_AUTHOR_DISPLAY_NAME || env.GIT_AUTHOR_NAME,
      runUrl: env.BUILD_URL,
      // With the address: two servers may both have a build 7 of a job "deploy".
      run: [env.BUILD_URL || `${env.JENKINS_URL}${env.JOB_NAME ?? ''}/${env.BUILD_NUMBER ?? ''}`],
    }),
  },
]

type GithubEvent = {
  pull_request?: { head?: { sha?: string; ref?: string } }
  head_commit?: { id?: string; message?: string; author?: { name?: string } } | null
}

/** For a pull request GITHUB_SHA is a merge commit that nobody has; the event knows the commit that was pushed. */
function githubRun(env: Environment): CiRun {
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

function eventOf(path: string | undefined): GithubEvent {
  if (!path) return {}
  try {
    const event: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return typeof event === 'object' && event !== null ? event : {}
  } catch {
    return {}
  }
}
