import { nameOf } from '../../../packages/demo/src/shop/answer-of.ts'
import { runningAt, type ShopDeploy } from '../../../packages/demo/src/shop/deploys.ts'
import type { ShopRecord } from '../../../packages/demo/src/shop/shop-record.ts'
import { QUIET_WINDOW_US } from '../../../packages/wire/src/analyses/analysis-state.ts'
import { isErrorLevel } from '../../../packages/wire/src/level.ts'
import { DAY_MS } from '../../../packages/wire/src/time/units.ts'
import type { CaseAnswer } from './answers.ts'
import type { Case } from './cases/case.ts'
import { lineText } from './history/change.ts'

const QUIET_WINDOW_MS = QUIET_WINDOW_US / 1_000

/** Made from the records themselves, so that an answer cannot speak of an error that nobody logged. */
export function caseAnswer(
  { kind, title, of, environment, cause, grewMs = 0 }: Case,
  {
    name,
    records,
    deploys,
    nowMs,
  }: { name: string; records: readonly ShopRecord[]; deploys: readonly ShopDeploy[]; nowMs: number },
): CaseAnswer {
  const errors = currentEpisode(errorsOf(records, of.service, environment))
  const first = errors[0]
  const last = errors.at(-1)
  if (!first || !last) throw new Error(`Nobody logged an error of ${name}.`)
  const began = errors.find(({ timestamp }) => Date.parse(timestamp) >= grewMs) ?? first
  const correlated = runningAt(deploys, environment, Date.parse(first.timestamp))
  const { commit, file } = cause
  return {
    incident: name,
    kind,
    title,
    environment,
    service: of.service,
    firstErrorAt: first.timestamp,
    beganAt: began.timestamp,
    lastErrorAt: nowMs - Date.parse(last.timestamp) < DAY_MS / 24 ? null : last.timestamp,
    error: { type: first.error?.type ?? '', message: first.error?.message ?? first.message },
    traceId: first.traceId,
    correlatedDeploy: correlated ? nameOf(correlated) : null,
    causeKinds: cause.kinds,
    cause: {
      deploy: cause.deploy ? nameOf(cause.deploy) : null,
      commit: commit?.sha ?? null,
      file,
      line: commit && file ? lineNumber(commit.files.get(file) ?? '', lineText(commit.files, of, 'limit')) : null,
      because: cause.because,
    },
  }
}

/** The errors of the service that a case is about; others may fail for the same reason. */
function errorsOf(records: readonly ShopRecord[], service: string, environment: string): ShopRecord[] {
  return records
    .filter((record) => record.service === service && record.environment === environment)
    .filter(({ level }) => isErrorLevel(level))
    .sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0))
}

function currentEpisode(errors: readonly ShopRecord[]): ShopRecord[] {
  const began = errors.findLastIndex((error, at) => {
    const before = errors[at - 1]
    return !before || Date.parse(error.timestamp) - Date.parse(before.timestamp) > QUIET_WINDOW_MS
  })
  return errors.slice(began)
}

function lineNumber(content: string, text: string): number | null {
  const at = text === '' ? -1 : content.split('\n').findIndex((line) => line.trim() === text)
  return at === -1 ? null : at + 1
}
