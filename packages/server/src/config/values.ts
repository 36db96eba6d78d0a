/** What the text of a variable means; undefined for what is not accepted. */
import { isIP } from 'node:net'
import { hasCredentials } from '../model/http-address.ts'

export function whole(min: number, max: number) {
  return (text: string) =>
    /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined
}

export function atLeast(length: number) {
  return (text: string) => (text.length >= length ? text : undefined)
}

export function matching(pattern: RegExp) {
  return (text: string) => (pattern.test(text) ? text : undefined)
}

/** A file of this kind as `openssl` writes it. `kind` is the source of a pattern. */
export function pem(kind: string) {
  return matching(new RegExp(`-----BEGIN ${kind}-----[A-Za-z0-9+/=\\s]+-----END ${kind}-----`))
}

export function oneOf<const T extends readonly string[]>(values: T) {
  return (text: string): T[number] | undefined => values.find((value) => value === text)
}

export function flag(text: string): boolean | undefined {
  if (['true', '1', 'yes', 'on'].includes(text.toLowerCase())) return true
  return ['false', '0', 'no', 'off'].includes(text.toLowerCase()) ? false : undefined
}

export function hostName(text: string): string | undefined {
  return /^[A-Za-z0-9_.:-]{1,253}$/.test(text) ? text : undefined
}

export function hostList(text: string): string[] | undefined {
  const names = text.split(',').map((name) => name.trim().toLowerCase())
  return names.every((name) => /^[a-z0-9_.-]{1,253}$|^\[[0-9a-f:]+\]$/.test(name)) ? names : undefined
}

export function addressList(text: string): string[] | undefined {
  const ranges = text.split(',').map((range) => range.trim())
  const isRange = (range: string) => {
    const [address = '', bits, ...more] = range.split('/')
    const most = isIP(address) === 6 ? 128 : 32
    return isIP(address) !== 0 && more.length === 0 && (bits === undefined || whole(1, most)(bits) !== undefined)
  }
  return ranges.every(isRange) ? ranges : undefined
}

export function baseUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search || url.hash || hasCredentials(url))
    return undefined
  return url.href.replace(/\/+$/, '')
}

export function serverUrl(...protocols: string[]) {
  return (text: string) => {
    // PostgreSQL's way to name a socket leaves the host out: postgres://ada@/logs?host=/var/run/postgresql.
    const whole = text.replace(/^(postgres(?:ql)?:\/\/[^/]*@)\//, '$1localhost/')
    return URL.canParse(whole) && protocols.includes(new URL(whole).protocol) ? text : undefined
  }
}
