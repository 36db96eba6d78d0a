import type { Control } from '../../control/open.ts'
import { AppError } from '../../errors.ts'
import type { Caller } from '../../model/caller.ts'
import { type ApiKey, KEY_KINDS, type KeyKind } from '../../model/key.ts'
import { changeBy, requireManager } from '../require-manager.ts'

type Input = { project: string; kind: string; name?: string; expiresIn?: string }

const HOUR_MS = 3_600_000
const UNIT_MS: Record<string, number> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS, y: 365 * 24 * HOUR_MS }
const MAX_LIFETIME_MS = 10 * 365 * 24 * HOUR_MS

/** The answer is the only time the secret is known. */
export function createKey(control: Control) {
  return async (caller: Caller, input: Input): Promise<{ key: ApiKey; secret: string }> => {
    const project = await requireManager(control, caller, { project: input.project, least: 'member' })
    const kind = keyKind(input.kind)
    const nowMs = Date.now()
    const expiresAtMs = input.expiresIn === undefined ? null : nowMs + lifetimeMs(input.expiresIn)
    return control.keys.create(
      { projectId: project.id, kind, name: input.name ?? kind, expiresAtMs },
      changeBy(caller, nowMs),
    )
  }
}

function keyKind(text: string): KeyKind {
  const kind = KEY_KINDS.find((one) => one === text)
  if (!kind) throw new AppError('invalid_request', `A key is of kind ${KEY_KINDS.join(' or ')}, not "${text}".`)
  return kind
}

function lifetimeMs(text: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,5})([hdwy])$/.exec(text) ?? []
  const ms = Number(amount) * (UNIT_MS[unit] ?? 0)
  if (ms > 0 && ms <= MAX_LIFETIME_MS) return ms
  throw new AppError(
    'invalid_request',
    `A lifetime is written like 12h, 90d, 8w or 1y, at most 10 years; "${text}" is not.`,
  )
}
