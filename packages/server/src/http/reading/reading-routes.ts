/**
 * The questions about records, analyses and deploys: the same paths with a key below `/api` and with a session below a
 * project. Translates between addresses and verbs and decides nothing.
 */
import { analysesInput, analysisInput } from '@tidemark/wire/analyses/analysis'
import { changesInput } from '@tidemark/wire/reading/changes'
import { compareInput } from '@tidemark/wire/reading/compare'
import { contextInput } from '@tidemark/wire/reading/context'
import { countInput } from '@tidemark/wire/reading/count'
import { deployDetailInput, deploysInput } from '@tidemark/wire/reading/deploys'
import { fieldsInput } from '@tidemark/wire/reading/fields'
import { findInput } from '@tidemark/wire/reading/find'
import { overviewInput } from '@tidemark/wire/reading/overview'
import { patternsInput } from '@tidemark/wire/reading/patterns'
import { searchInput } from '@tidemark/wire/reading/search'
import type { FastifyInstance } from 'fastify'
import { noParameters, parseInput } from '../request/parameters.ts'
import type { BegunAnswers } from './begun-answers.ts'
import { exportRoute } from './export.ts'
import { openEntry, type ReadingCall, type ReadingDoor } from './reading-call.ts'
import { tailRoute } from './tail.ts'

type Answer = (call: ReadingCall) => Promise<unknown>

const ANSWERS: Record<string, Answer> = {
  '/project': ({ reading, caller, query, signal }) => {
    noParameters(query)
    return reading.describeProject(caller, signal)
  },
  '/overview': ({ reading, caller, query, signal }) =>
    reading.getOverview(caller, parseInput(overviewInput, query), signal),
  '/logs': ({ reading, caller, query, signal }) => reading.listLogs(caller, parseInput(searchInput, query), signal),
  '/logs/count': ({ reading, caller, query, signal }) =>
    reading.countLogs(caller, parseInput(countInput, query), signal),
  '/logs/patterns': ({ reading, caller, query, signal }) =>
    reading.listLogPatterns(caller, parseInput(patternsInput, query), signal),
  '/logs/compare': ({ reading, caller, query, signal }) =>
    reading.compareWindows(caller, parseInput(compareInput, query), signal),
  '/logs/fields': ({ reading, caller, query, signal }) =>
    reading.listFields(caller, parseInput(fieldsInput, query), signal),
  '/logs/:id/context': ({ reading, caller, query, params, signal }) =>
    reading.getLogContext(caller, parseInput(contextInput, query, { id: params.id }), signal),
  '/analyses': ({ reading, caller, query, signal }) =>
    reading.listAnalyses(caller, parseInput(analysesInput, query), signal),
  '/analyses/:id': ({ reading, caller, query, params, signal }) =>
    reading.getAnalysis(caller, parseInput(analysisInput, query, { id: params.id }), signal),
  '/find': ({ reading, caller, query }) => reading.findByWords(caller, parseInput(findInput, query)),
  '/changes': ({ reading, caller, query, signal }) =>
    reading.whatChanged(caller, parseInput(changesInput, query), signal),
  '/deploys': ({ reading, caller, query, signal }) =>
    reading.listDeploys(caller, parseInput(deploysInput, query), signal),
  '/deploys/:id': ({ reading, caller, query, params, signal }) =>
    reading.getDeploy(caller, parseInput(deployDetailInput, query, { id: params.id }), signal),
}

const STREAMS: Record<string, Answer> = { '/logs/export': exportRoute, '/logs/tail': tailRoute }

/** `prefix` stands before every path. `begun`: what the documents of pages have begun. */
export function readingRoutes(
  routes: FastifyInstance,
  { prefix, begun, ...door }: ReadingDoor & { prefix: string; begun?: BegunAnswers | undefined },
): void {
  const enter = openEntry(door)
  for (const [path, answer] of Object.entries(ANSWERS)) {
    routes.get(prefix + path, { exposeHeadRoute: false }, async (request, reply) => {
      const { call, leave } = await enter(request, reply)
      try {
        const text = (await begun?.take(request)) ?? null
        const body = text ?? (await answer(call))
        await call.recheckCaller()
        if (text !== null) reply.type('application/json; charset=utf-8')
        return body
      } finally {
        leave()
      }
    })
  }
  for (const [path, answer] of Object.entries(STREAMS)) {
    routes.get(prefix + path, { exposeHeadRoute: false }, async (request, reply) => {
      const { call, leave } = await enter(request, reply)
      reply.raw.once('close', leave)
      return answer(call)
    })
  }
}
