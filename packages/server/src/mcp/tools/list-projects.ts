import { AT_LEAST_ERROR } from '@tidemark/wire/level'
import { type ProjectAnswer, projectAnswer } from '@tidemark/wire/reading/project'
import { retentionWords } from '@tidemark/wire/retention'
import { onOneLine } from '@tidemark/wire/text/stranger-text'
import { z } from 'zod'
import { deployLine } from '../text/render.ts'
import { showDeploy, UNTRUSTED_OF_DEPLOY } from '../text/rows.ts'
import { leftOut } from '../text/sentences.ts'
import { ALL, DETAILS, shortenText } from '../text/shorten.ts'
import { defineTool, type Reply } from '../tool.ts'

const output = { now: z.string(), projects: z.array(projectAnswer) }
type Answer = z.infer<z.ZodObject<typeof output>>

/** A reason may quote an address or names of branches. */
const STATE_CHARACTERS = 400

/** Names of each list that are kept, and how much of the deploy (a place in DETAILS), from all to a few. */
const STEPS = [
  { names: ALL, detail: 0 },
  { names: ALL, detail: 4 },
  { names: 200, detail: 6 },
  { names: 50, detail: 6 },
  { names: 10, detail: 7 },
  { names: 2, detail: 7 },
]

export const listProjectsTool = defineTool({
  name: 'list_projects',
  title: 'List projects',
  description:
    'The project this key reads, its environments and services, how long logs are kept, the newest record and deploy, and the time now.',
  input: {},
  output,
  untrusted: [
    'projects[].environments',
    'projects[].services',
    'projects[].repository.state',
    ...UNTRUSTED_OF_DEPLOY.map((field) => `projects[].lastDeploy.${field}`),
  ],
  example: {},

  async run({ reading, caller, signal, nowMs }, _, choose) {
    const project = await reading.describeProject(caller, signal)
    const now = new Date(nowMs).toISOString()
    return choose(STEPS, (step) => replyOf(now, project, step)).reply
  },

  text({ now, projects }) {
    return {
      facts: [`Now: ${now}`, ...projects.map(projectFact)],
      evidence: projects.flatMap(({ environments, services, lastDeploy, repository }) => [
        `environments: ${environments.map(onOneLine).join(', ')}`,
        `services: ${services.map(onOneLine).join(', ')}`,
        ...(repository ? [`repository: ${onOneLine(repository.state)}`] : []),
        ...(lastDeploy ? [deployLine(lastDeploy)] : []),
      ]),
    }
  },
})

/** The name and the repository were chosen by a member of the project, not by a sender of logs. */
function projectFact({ name, id, lastLogAt, repository, ...retention }: Answer['projects'][number]): string {
  const newest = lastLogAt === null ? 'no record yet' : `newest record ${lastLogAt}`
  const code = repository === null ? '' : `, repository ${repository.url} (${repository.branch})`
  return `Project ${onOneLine(name)} (${id}): ${newest}, kept for ${onOneLine(retentionWords(retention))}${code}`
}

function replyOf(now: string, project: ProjectAnswer, { names, detail }: (typeof STEPS)[number]): Reply<Answer> {
  const { environments, services, lastDeploy, repository } = project
  const whole = lastDeploy && showDeploy(lastDeploy, null)
  const shown = lastDeploy && showDeploy(lastDeploy, DETAILS[detail] ?? null)
  const isShorter = JSON.stringify(shown) !== JSON.stringify(whole)
  return {
    answer: {
      now,
      projects: [
        {
          ...project,
          repository: repository && { ...repository, state: shortenText(repository.state, STATE_CHARACTERS) },
          environments: environments.slice(0, names),
          services: services.slice(0, names),
          lastDeploy: shown,
        },
      ],
    },
    cut: [
      ...leftOut(environments.length - names, { one: 'environment', hint: 'see list_fields' }),
      ...leftOut(services.length - names, { one: 'service', hint: 'see list_fields' }),
      ...(isShorter ? ['To fit maxTokens, the newest deploy is shortened; get_deploy shows all of it.'] : []),
    ],
    next: [
      {
        tool: 'count_logs',
        arguments: { from: '-24h', groupBy: ['level', 'service'], compare: 'previous' },
        why: 'how much of what, against the day before',
      },
      { tool: 'list_logs', arguments: { from: '-1h', level: AT_LEAST_ERROR }, why: 'the newest errors' },
      { tool: 'list_deploys', arguments: { from: '-7d' }, why: 'what changed' },
    ],
    page: 'logs',
  }
}
