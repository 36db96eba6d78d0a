/** What the CI systems set in a deploying job, as their documentation shows it, and the event that follows from it. */
export const SHA = '4f1c2d3e5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0d'

type CiEnvironment = {
  name: string
  env: Record<string, string>
  /** The webhook payload that GitHub leaves in a file. */
  payload?: unknown
  event: Record<string, unknown>
  /** What differs when the step or job is run again within the run. */
  again: Record<string, string>
  anotherRun: Record<string, string>
}

export const HARD_MESSAGE = 'Fix "quotes", \\ and $(touch owned)\n\nSecond line\twith a tab, Grüße 🚀'

const LONG_JOB = `go ${'ü'.repeat(140)}`

const github = {
  ...{ CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_SHA: SHA, GITHUB_REF: 'refs/heads/main', GITHUB_REF_NAME: 'main' },
  ...{ GITHUB_REPOSITORY: 'acme/shop', GITHUB_RUN_ID: '16281293', GITHUB_RUN_ATTEMPT: '1', GITHUB_JOB: 'deploy' },
  ...{ GITHUB_SERVER_URL: 'https://github.com', GITHUB_ACTOR: 'ada-l', GITHUB_HEAD_REF: '', GITHUB_EVENT_NAME: 'push' },
}
const githubUrl = 'https://github.com/acme/shop/actions/runs/16281293'
const githubId = 'github:acme/shop:16281293:deploy:production'

export const CI_ENVIRONMENTS: CiEnvironment[] = [
  {
    name: 'GitHub Actions',
    env: github,
    payload: { head_commit: { id: SHA, message: HARD_MESSAGE, author: { name: 'Ada Lovelace' } } },
    event: {
      ...{ sha: SHA, ref: 'main', author: 'Ada Lovelace', message: HARD_MESSAGE, url: githubUrl, externalId: githubId },
    },
    again: { GITHUB_RUN_ATTEMPT: '2' },
    anotherRun: { GITHUB_RUN_ID: '16281294' },
  },
  {
    name: 'GitHub Actions for a pull request',
    env: {
      ...github,
      GITHUB_SHA: 'e'.repeat(40),
      GITHUB_REF_NAME: '12/merge',
      GITHUB_HEAD_REF: 'feature',
      GITHUB_EVENT_NAME: 'pull_request',
    },
    payload: { pull_request: { head: { sha: SHA, ref: 'feature' } } },
    event: { sha: SHA, ref: 'feature', author: 'ada-l', url: githubUrl, externalId: githubId },
    again: { GITHUB_RUN_ATTEMPT: '3' },
    anotherRun: { GITHUB_RUN_ID: '16281295' },
  },
  {
    name: 'GitLab CI',
    env: {
      ...{
        CI: 'true',
        GITLAB_CI: 'true',
        CI_COMMIT_SHA: SHA,
        CI_COMMIT_REF_NAME: 'main',
        CI_COMMIT_MESSAGE: HARD_MESSAGE,
      },
      ...{ CI_COMMIT_AUTHOR: 'Ada Lovelace <ada@example.com>', CI_SERVER_HOST: 'gitlab.com', CI_PIPELINE_ID: '1070' },
      ...{ CI_JOB_ID: '9001', CI_JOB_NAME: 'deploy-production', CI_ENVIRONMENT_NAME: 'production' },
      ...{ CI_JOB_URL: 'https://gitlab.com/acme/shop/-/jobs/9001' },
    },
    event: {
      ...{ sha: SHA, ref: 'main', author: 'Ada Lovelace', message: HARD_MESSAGE },
      url: 'https://gitlab.com/acme/shop/-/jobs/9001',
      externalId: 'gitlab:gitlab.com:1070:deploy-production:production',
    },
    again: { CI_JOB_ID: '9002', CI_JOB_URL: 'https://gitlab.com/acme/shop/-/jobs/9002' },
    anotherRun: { CI_PIPELINE_ID: '1071' },
  },
  {
    name: 'GitLab CI with a job of a long name',
    env: {
      ...{ GITLAB_CI: 'true', CI_COMMIT_SHA: SHA, CI_COMMIT_REF_NAME: 'main', CI_COMMIT_AUTHOR: 'Ada' },
      ...{ CI_PIPELINE_ID: '1070', CI_JOB_NAME: LONG_JOB },
    },
    event: {
      ...{ sha: SHA, ref: 'main', author: 'Ada' },
      externalId: `gitlab:1907596704.306:1070:go ${'ü'.repeat(112)}`,
    },
    again: { CI_JOB_ID: '9002' },
    // After what is cut off.
    anotherRun: { CI_JOB_NAME: `${LONG_JOB}2` },
  },
  {
    name: 'CircleCI',
    env: {
      ...{ CI: 'true', CIRCLECI: 'true', CIRCLE_SHA1: SHA, CIRCLE_BRANCH: 'main', CIRCLE_USERNAME: 'ada-l' },
      ...{ CIRCLE_WORKFLOW_ID: '2f1c9d0e-7b7a', CIRCLE_JOB: 'deploy', CIRCLE_BUILD_NUM: '88' },
      CIRCLE_BUILD_URL: 'https://circleci.com/gh/acme/shop/88',
    },
    event: {
      ...{ sha: SHA, ref: 'main', author: 'ada-l', url: 'https://circleci.com/gh/acme/shop/88' },
      externalId: 'circleci:2f1c9d0e-7b7a:deploy:production',
    },
    again: { CIRCLE_BUILD_NUM: '89' },
    anotherRun: { CIRCLE_WORKFLOW_ID: '3a' },
  },
  {
    name: 'Buildkite',
    env: {
      ...{ CI: 'true', BUILDKITE: 'true', BUILDKITE_COMMIT: SHA, BUILDKITE_BRANCH: 'main', BUILDKITE_TAG: '' },
      ...{ BUILDKITE_MESSAGE: HARD_MESSAGE, BUILDKITE_BUILD_AUTHOR: 'Ada Lovelace', BUILDKITE_BUILD_ID: '0190-46bd' },
      ...{ BUILDKITE_STEP_ID: '0190-step', BUILDKITE_STEP_KEY: '', BUILDKITE_JOB_ID: '0190-job' },
      BUILDKITE_BUILD_URL: 'https://buildkite.com/acme/shop/builds/42',
    },
    event: {
      ...{ sha: SHA, ref: 'main', author: 'Ada Lovelace', message: HARD_MESSAGE },
      url: 'https://buildkite.com/acme/shop/builds/42',
      externalId: 'buildkite:0190-46bd:0190-step:production',
    },
    again: { BUILDKITE_JOB_ID: '0190-job-2', BUILDKITE_RETRY_COUNT: '1' },
    anotherRun: { BUILDKITE_BUILD_ID: '0190-46be' },
  },
  {
    name: 'Jenkins',
    env: {
      ...{
        JENKINS_URL: 'https://ci.example.com/',
        GIT_COMMIT: SHA,
        GIT_BRANCH: 'origin/main',
        JOB_NAME: 'shop/deploy',
      },
      ...{
        BUILD_NUMBER: '7',
        BUILD_URL: 'https://ci.example.com/job/shop/job/deploy/7/',
        GIT_AUTHOR_NAME: 'Ada Lovelace',
      },
    },
    event: {
      ...{ sha: SHA, ref: 'main', author: 'Ada Lovelace', url: 'https://ci.example.com/job/shop/job/deploy/7/' },
      externalId: 'jenkins:https://ci.example.com/job/shop/job/deploy/7/:production',
    },
    again: { STAGE_NAME: 'Declarative: Post Actions' },
    anotherRun: { BUILD_URL: 'https://ci.example.com/job/shop/job/deploy/8/' },
  },
  {
    name: 'Jenkins for a tag',
    env: {
      ...{ JENKINS_URL: 'https://ci.example.com/', GIT_COMMIT: SHA, TAG_NAME: 'origin/v1', GIT_BRANCH: 'origin/main' },
      ...{ JOB_NAME: 'shop', BUILD_NUMBER: '7', GIT_AUTHOR_NAME: 'Ada Lovelace' },
    },
    event: {
      ...{ sha: SHA, ref: 'origin/v1', author: 'Ada Lovelace' },
      externalId: 'jenkins:https://ci.example.com/shop/7:production',
    },
    again: { STAGE_NAME: 'Declarative: Post Actions' },
    anotherRun: { BUILD_NUMBER: '8' },
  },
  {
    name: 'Bitbucket Pipelines',
    env: {
      ...{ CI: 'true', BITBUCKET_COMMIT: SHA, BITBUCKET_BRANCH: 'main', BITBUCKET_BUILD_NUMBER: '31' },
      ...{ BITBUCKET_REPO_FULL_NAME: 'acme/shop', BITBUCKET_GIT_HTTP_ORIGIN: 'https://bitbucket.org/acme/shop' },
      ...{ BITBUCKET_DEPLOYMENT_ENVIRONMENT: 'production', BITBUCKET_STEP_RUN_NUMBER: '1' },
    },
    event: {
      ...{ sha: SHA, ref: 'main', url: 'https://bitbucket.org/acme/shop/pipelines/results/31' },
      externalId: 'bitbucket:acme/shop:31:production',
    },
    again: { BITBUCKET_STEP_RUN_NUMBER: '2' },
    anotherRun: { BITBUCKET_BUILD_NUMBER: '32' },
  },
]
