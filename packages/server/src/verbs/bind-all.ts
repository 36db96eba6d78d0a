/**
 * Verbs are plain functions `(parts, caller, input, signal?)`; what a verb does not need it leaves out. The doors get them
 * with their parts already given.
 */
type Verb<First> = (first: First, ...rest: never[]) => unknown

/** Each function without its first argument. */
type Bound<Verbs> = {
  [Name in keyof Verbs]: Verbs[Name] extends (first: never, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never
}

export function bindAll<First, Verbs extends Record<string, Verb<First>>>(first: First, verbs: Verbs): Bound<Verbs> {
  const bound = Object.entries(verbs).map(([name, verb]) => [name, verb.bind(null, first)])
  return Object.fromEntries(bound) as Bound<Verbs>
}
