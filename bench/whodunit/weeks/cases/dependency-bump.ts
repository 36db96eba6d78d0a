import { DEPENDENCIES } from '../code/dependencies.ts'
import { anybody, bumpTo, versionIn } from '../history/everyday-changes.ts'
import { traceIn } from '../records/traces.ts'
import { type Broken, guilty, untilEnd } from './broken-code.ts'
import { failedMessage, someFail, someRates, type Teller } from './case.ts'

/** The guilty commit only changes a version; the stack ends inside the dependency. */
export const dependencyBump: Teller = (story, nth) => {
  const { random } = story
  const dependency = DEPENDENCIES[nth % DEPENDENCIES.length]
  const worst = dependency?.versions.at(-1)
  if (!dependency || worst === undefined) throw new Error('There is no such dependency.')
  const of = story.take(({ service }) => service === dependency.service)
  const before = versionIn(story.history.tip.files, dependency)
  const { type, message } = dependency
  const broken: Broken = {
    of,
    change: { author: anybody(random), ...bumpTo(dependency, worst) },
    mend: {
      author: anybody(random),
      ...bumpTo(dependency, before),
      message: `Go back to ${dependency.name} ${before}\n`,
    },
    file: () => dependency.manifest,
    failure: {
      of,
      message: failedMessage(of),
      trace: traceIn(of, { type, message, line: 'rows', above: dependency.frames(worst) }),
      fails: ({ files }) => versionIn(files, dependency) === worst,
    },
  }
  const { deploy, guilty: commit } = story.ship({
    atMs: story.at(0.2),
    innocent: random.between(3, 7),
    guilty: broken.change,
    near: random.chance(0.25) ? of : undefined,
  })
  const span = untilEnd(story, broken, { deploy, fromMs: deploy.atMs + random.between(20, 600) * 1_000 })
  return [
    {
      kind: 'dependency-bump',
      title: `${of.name} fails inside ${dependency.name}`,
      of,
      environment: 'production',
      cause: guilty(
        deploy,
        commit,
        broken,
        `The deploy brought ${dependency.name} ${worst}, which refuses what was allowed.`,
      ),
      records: someFail({ ...broken.failure, environment: 'production' }, span, someRates(story)),
    },
  ]
}
