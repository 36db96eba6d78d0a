import { call, type ProgramLog, rare, text } from '../call.ts'
import {
  amount,
  clock,
  decimal,
  either,
  few,
  hex,
  int,
  maybe,
  oneOf,
  person,
  port,
  privateIp,
  publicIp,
  words,
} from '../values.ts'

const client = few(120, publicIp)
const host = words(
  'www.example.com api.example.com static.example.com shop.example.com blog.example.com example.com img.example.com m.example.com',
)
const path = either(
  text`/`,
  text`/index.html`,
  text`/products/${int(1, 900)}`,
  text`/css/site.css`,
  text`/search?q=${words('red+shoes lamp desk+chair mug')}&page=${int(1, 9)}`,
  text`/wp-login.php`,
)
const agent = oneOf(
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36',
  'curl/8.5.0',
  '-',
  'Mozilla/5.0 (compatible; Googlebot/2.1)',
  'python-requests/2.31',
  'kube-probe/1.29',
  'Go-http-client/1.1',
)
const verb = words('GET POST HEAD OPTIONS')
const stamp = text`[${int(1, 28)}/${words('Jan Feb Mar Apr')}/2025:${clock} +0000]`
const upstream = either(text`${privateIp}:8080`, words('unix:/run/app.sock backend-a backend-b'))

/** A web server: its access log, its error log and the cache in front of it. */
export const accessLog: ProgramLog = {
  name: 'access-log',
  heldOut: false,
  calls: [
    call(
      520,
    )`${client} - ${either(text`-`, person)} ${stamp} "${verb} ${path} HTTP/${words('1.1 2.0 1.0')}" ${oneOf('200', '304', '404', '302', '500')} ${either(amount(10, 90_000), text`-`)} "${either(text`-`, text`https://${host}${path}`)}" "${agent}"`,
    call(
      120,
    )`*${int(1, 90_000)} open() "/var/www${path}" failed (2: No such file or directory), client: ${client}, server: ${host}, request: "${verb} ${path} HTTP/1.1", host: "${host}"`,
    call(
      60,
    )`*${int(1, 90_000)} upstream timed out (110: Connection timed out) while reading response header from upstream, client: ${client}, server: ${host}, request: "${verb} ${path} HTTP/1.1", upstream: "http://${upstream}${path}"`,
    call(
      40,
    )`*${int(1, 90_000)} connect() failed (111: Connection refused) while connecting to upstream, client: ${client}, server: ${host}, request: "${verb} ${path} HTTP/1.1", upstream: "http://${upstream}${path}"`,
    call(50)`[client ${client}:${port}] AH01630: client denied by server configuration: /var/www${path}`,
    call(
      40,
    )`[client ${client}:${port}] script '/var/www/${words('xmlrpc admin setup shell config info test wp-cron')}.php' not found or unable to stat`,
    call(100)`cache ${words('HIT MISS EXPIRED BYPASS')} ${host}${path} age=${int(0, 9000)} ttl=${int(1, 9000)}`,
    call(90)`backend ${upstream} is ${words('healthy sick')}, ${int(0, 8)} of 8 probes, ${decimal(0, 2, 6)} s`,
    call(70)`limiting requests, excess: ${decimal(0, 20, 3)} by zone "${words('perip login api')}", client: ${client}`,
    call(
      60,
    )`TLS handshake with ${client}:${port} failed: ${oneOf('no shared cipher', 'unexpected eof while reading', 'unsupported protocol')}`,
    call(
      50,
    )`connection ${int(1, 90_000)} of ${client} closed, keepalive=${words('true false')} requests=${int(1, 90)} tls=${words('TLSv1.2 TLSv1.3')} alpn=${maybe(0.8, words('h2 http/1.1'))}`,
    call(40)`purge of ${host}${path} by ${person}, ${int(0, 40)} objects`,
    rare`worker process ${int(100, 9000)} exited with code ${int(0, 9)}`,
    rare`worker process ${int(100, 9000)} exited on signal ${int(1, 15)}`,
    rare`signal ${int(1, 17)} (${words('SIGHUP SIGCHLD SIGQUIT')}) received from ${int(100, 9000)}`,
    rare`certificate of ${host} expires in ${int(1, 30)} days`,
    rare`certificate of ${host} renewed, serial ${hex(16)}`,
    rare`configuration file /etc/httpd/${words('main ssl vhosts proxy mime cache status')}.conf test ${words('passed failed')}`,
    rare`rewrite rule ${int(1, 40)} of ${host} loops`,
    rare`module ${words('mod_ssl mod_status mod_proxy mod_evasive mod_rewrite mod_headers mod_brotli')} loaded`,
    rare`storage ${words('disk memory')} of cache at ${int(1, 100)}%, ${amount(1, 90_000)} objects nuked`,
    rare`geo database dated ${int(20_250_101, 20_251_231)} loaded, ${amount(100, 900_000)} networks`,
    rare`banned ${client} for ${int(60, 9000)} s after ${int(5, 90)} errors`,
  ],
}
