/**
 * The code of the larger shop: modules of four functions each, every function with a caller of its own that a route or a
 * job leads to. An incident takes one function for itself, so that no two of them are grouped together.
 */
import type { ServiceName } from '../../../../packages/demo/src/shop/services.ts'
import type { Language } from '../../../../packages/demo/src/shop/stack-text.ts'

export type ShopFunction = {
  service: ServiceName
  language: Language
  module: string
  noun: string
  /** As the language writes it. */
  name: string
  /** Begins the names of its variables: what makes its lines unlike those of the other functions in the file. */
  key: string
  path: string
  /** Where `path` is after the file was moved. Files that cannot be moved have none. */
  movedPath: string | null
  /** The file of the caller. */
  callerPath: string
  caller: string
  /** Both as a stack names them. */
  frame: string
  callerFrame: string
  /** What leads to it: `POST /vouchers/apply`, or the name of a job. */
  method: string
  route: string
  job: string | null
}

const NOUNS: Record<ServiceName, readonly string[]> = {
  web: ['basket', 'banner', 'account', 'favourite', 'store', 'newsletter', 'review', 'menu'],
  checkout: ['voucher', 'shipment', 'hold', 'coupon', 'invoice', 'plan', 'return', 'point'],
  payments: ['refund', 'payout', 'booking', 'dispute', 'mandate', 'wallet', 'fee', 'settlement'],
  catalog: ['price', 'variant', 'pairing', 'facet', 'picture', 'supplier', 'wording', 'bundle'],
  worker: ['export', 'import', 'letter', 'thumbnail', 'sitemap', 'report', 'leftover', 'hook'],
}

const VERBS = [
  { verb: 'find', key: 'found' },
  { verb: 'apply', key: 'applied' },
  { verb: 'check', key: 'checked' },
  { verb: 'total', key: 'totalled' },
] as const

export const FUNCTIONS: readonly ShopFunction[] = Object.entries(NOUNS).flatMap(([service, nouns]) =>
  nouns.flatMap((noun) => VERBS.map(({ verb, key }) => functionOf(service as ServiceName, noun, verb, key))),
)

function functionOf(service: ServiceName, noun: string, verb: string, key: string): ShopFunction {
  const module = `${noun}s`
  const route = `/${module}/${verb}`
  const shared = { service, module, noun, key, method: verb === 'find' ? 'GET' : 'POST', route, job: null }
  switch (service) {
    case 'payments':
      return { ...shared, ...javaNames(noun, verb) }
    case 'catalog':
      return { ...shared, ...pythonNames(noun, verb, module) }
    case 'worker':
      return { ...shared, ...goNames(noun, verb, module), route: '', job: `${verb}-${module}` }
    default:
      return { ...shared, ...scriptNames(service, noun, verb, module) }
  }
}

function scriptNames(service: ServiceName, noun: string, verb: string, module: string) {
  const source = `services/${service}/src`
  const name = `${verb}${capital(noun)}`
  const caller = `handle${capital(verb)}${capital(noun)}`
  return {
    language: 'javascript',
    name,
    path: `${source}/${module}.ts`,
    movedPath: `${source}/domain/${module}.ts`,
    callerPath: `${source}/routes/${module}-routes.ts`,
    caller,
    frame: name,
    callerFrame: `Object.${caller}`,
  } as const
}

function javaNames(noun: string, verb: string) {
  const source = 'services/payments/src/main/java/com/shop/payments'
  const name = `${verb}${capital(noun)}`
  const caller = `post${capital(verb)}${capital(noun)}`
  return {
    language: 'java',
    name,
    path: `${source}/${capital(noun)}Service.java`,
    movedPath: null,
    callerPath: `${source}/${capital(noun)}Controller.java`,
    caller,
    frame: `com.shop.payments.${capital(noun)}Service.${name}`,
    callerFrame: `com.shop.payments.${capital(noun)}Controller.${caller}`,
  } as const
}

function pythonNames(noun: string, verb: string, module: string) {
  const source = 'services/catalog/catalog'
  const name = `${verb}_${noun}`
  const caller = `post_${verb}_${noun}`
  return {
    language: 'python',
    name,
    path: `${source}/${module}.py`,
    movedPath: `${source}/rules/${module}.py`,
    callerPath: `${source}/routes/${module}_routes.py`,
    caller,
    frame: name,
    callerFrame: caller,
  } as const
}

function goNames(noun: string, verb: string, module: string) {
  const source = 'services/worker/internal'
  const name = `${capital(verb)}${capital(noun)}`
  const caller = `run${capital(verb)}${capital(noun)}`
  return {
    language: 'go',
    name,
    path: `${source}/${module}/${module}.go`,
    movedPath: null,
    callerPath: `${source}/jobs/${module}_jobs.go`,
    caller,
    frame: `shop/worker/internal/${module}.${name}`,
    callerFrame: `shop/worker/internal/jobs.${caller}`,
  } as const
}

export function capital(word: string): string {
  return `${word[0]?.toUpperCase()}${word.slice(1)}`
}

/** Where the function's file is at a commit. */
export function pathIn(files: ReadonlyMap<string, string>, { path, movedPath }: ShopFunction): string {
  return movedPath !== null && files.has(movedPath) ? movedPath : path
}
