/** Lines of nginx and Apache: access logs in the common and the combined form, and the logs of errors. */
import type { StartOfLine } from '../read-text.ts'

const TEXT = '"((?:[^"\\\\]|\\\\.)*)"'
/** An address or a name may stand before, as in the form with virtual hosts. */
const ACCESS = new RegExp(
  `^(?:([\\w.:-]+:\\d+) )?(\\S+) (\\S+) (\\S+|"[^"]*") \\[(\\d{1,2}/[A-Z][a-z]{2}/\\d{4}:\\d\\d:\\d\\d:\\d\\d [+-]\\d{4})\\] ${TEXT} (\\d{3}|-) (\\d+|-)(?: ${TEXT} ${TEXT})?(?: (.*))?$`,
)
const REQUEST = /^([A-Z]{1,20}) (\S+)(?: HTTP\/([\d.]+))?$/
const NGINX = /^(\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d) \[(\w+)\] (\d+)#(\d+): (?:\*(\d+) )?(.*)$/s
/** `, client: 1.2.3.4, server: shop, request: "GET / HTTP/1.1", …` at the end of a message of nginx. */
const NGINX_CONTEXT =
  /, client: ([^\s,]+), server: ([^,]*)(?:, request: "((?:[^"\\]|\\.)*)")?(?:, upstream: "([^"]*)")?(?:, host: "([^"]*)")?(?:, referrer: "([^"]*)")?\s*$/
const APACHE =
  /^\[([A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d{1,9})? \d{4})\] \[(?:([\w-]*):)?(\w+)\](?: \[pid (\d+)(?::tid (\d+))?\])?(?: \[(?:client|remote) ([^\]\s]+)\])? ?(.*)$/s

export const startOfAccessLine: StartOfLine = (text) => {
  const found = ACCESS.exec(text)
  if (!found) return { start: { message: text }, text, isNew: true }
  const [
    ,
    virtualHost,
    client,
    ,
    user = '-',
    timestamp = '',
    request = '',
    status = '-',
    size = '-',
    referer,
    agent,
    rest,
  ] = found
  const [, method, path, version] = REQUEST.exec(request) ?? []
  const start = {
    timestamp,
    level: Number(status) >= 500 ? 'error' : 'info',
    message: `${method === undefined ? request : `${method} ${path}`} ${status}`,
    ...said({
      'client.address': client,
      'user.name': user,
      'http.request.method': method,
      'url.original': path,
      'network.protocol.version': version,
      'http.response.status_code': numberIn(status),
      'http.response.body.size': numberIn(size),
      'http.request.header.referer': referer,
      'user_agent.original': agent,
      'server.address': virtualHost,
      'access.rest': rest,
    }),
  }
  return { start, text, isNew: true }
}

export const startOfNginxError: StartOfLine = (text) => {
  const found = NGINX.exec(text)
  if (!found) return { start: { message: text }, text, isNew: false }
  const [, timestamp = '', level = '', pid, thread, connection, message = ''] = found
  const [context = '', client, server, request, upstream, host, referer] = NGINX_CONTEXT.exec(message) ?? []
  const start = {
    timestamp,
    level,
    message: message.slice(0, message.length - context.length),
    ...said({
      'process.pid': numberIn(pid),
      'thread.id': numberIn(thread),
      'nginx.connection': numberIn(connection),
      'client.address': client,
      'nginx.server': server,
      'nginx.request': request,
      'nginx.upstream': upstream,
      'server.address': host,
      'http.request.header.referer': referer,
    }),
  }
  return { start, text, isNew: true }
}

export const startOfApacheError: StartOfLine = (text) => {
  const found = APACHE.exec(text)
  if (!found) return { start: { message: text }, text, isNew: false }
  const [, timestamp = '', module, level = '', pid, thread, client, message = ''] = found
  const start = {
    timestamp,
    // `trace1` to `trace8`.
    level: level.replace(/\d$/, ''),
    message: message || text,
    ...said({
      logger: module,
      'process.pid': numberIn(pid),
      'thread.id': numberIn(thread),
      'client.address': client,
    }),
  }
  return { start, text, isNew: true }
}

export const isAccessLine = (line: string) => ACCESS.test(line)
export const isNginxError = (line: string) => NGINX.test(line)
export const isApacheError = (line: string) => APACHE.test(line)

function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** `-` stands for nothing. */
function said(fields: Record<string, string | number | undefined>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(fields).filter(
      (field): field is [string, string | number] => field[1] !== undefined && field[1] !== '' && field[1] !== '-',
    ),
  )
}
