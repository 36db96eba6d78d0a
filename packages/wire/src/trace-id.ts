/** What a pasted trace id may look like. Nothing is looked up here. */
import { UUID } from './id-form.ts'

export const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/i
const OPEN_TELEMETRY = /^[0-9a-f]{32}$/i
/** Of B3 with 64 bits, Datadog, X-Ray, and programs that use a UUID. */
const OTHERS = new RegExp(`^(?:[0-9a-f]{16}|\\d{10,20}|1-[0-9a-f]{8}-[0-9a-f]{24}|${UUID})$`, 'i')

/** The id in a `traceparent` header, or a text that has the form of an id. As OpenTelemetry has it, in small letters. */
export function traceIdIn(text: string): string | null {
  const id = TRACEPARENT.exec(text)?.[1] ?? text
  if (OPEN_TELEMETRY.test(id)) return id.toLowerCase()
  return OTHERS.test(id) ? id : null
}

/** Whether hardly anything else has its form: a number or a UUID may as well be that of an order. */
export function isSurelyTrace(id: string): boolean {
  return OPEN_TELEMETRY.test(id)
}
