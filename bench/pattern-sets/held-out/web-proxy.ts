import { call, type ProgramLog, rare, text } from '../call.ts'
import {
  amount,
  clock,
  decimal,
  domain,
  either,
  hex,
  int,
  list,
  maybe,
  oneOf,
  padded,
  port,
  privateIp,
  publicIp,
  rising,
  words,
} from '../values.ts'

const path = either(
  text`/`,
  text`/static/${words('app main vendor')}.${hex(8)}.${words('js css map')}`,
  text`/api/v2/products/${int(1, 90_000)}`,
  text`/search?q=${words('shoes red+shirt usb%20cable')}&page=${int(1, 9)}`,
  text`/images/${words('logo hero banner-2')}.${words('png webp svg')}`,
  text`/wp-login.php`,
  text`/checkout/step/${int(1, 4)}`,
)
const agent = oneOf(
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15',
  'curl/8.5.0',
  'Mozilla/5.0 (compatible; ExampleBot/2.1; +https://bot.example/info)',
  'python-requests/2.31.0',
  '-',
)
const verb = words('GET POST HEAD PUT OPTIONS')
const status = oneOf('200', '304', '404', '302', '500', '502', '403')
const backend = words('web_pool api_pool static_pool admin')
const server = words('web01 web02 web03 api01 api02')
const program = words('chrome.exe firefox.exe outlook.exe Dropbox.exe git.exe svchost.exe')
const target = either(
  text`${domain}:${oneOf('443', '80')}`,
  text`${publicIp}:${oneOf('443', '80', '5222')}`,
  text`proxy.corp.example:5070`,
)
const volume = either(text`${amount(1, 1023)} bytes`, text`${amount(1024, 90_000)} bytes (${decimal(1, 90, 2)} KB)`)
const request = rising(44_000, 2)

export const webProxy: ProgramLog = {
  name: 'web-proxy',
  heldOut: true,
  calls: [
    call(
      260,
    )`${publicIp} - ${oneOf('-', '-', '-', 'anna')} "${verb} ${path} HTTP/${oneOf('1.1', '2.0', '1.0')}" ${status} ${oneOf('-', '512', '1893', '20481', '0')} "${either(text`-`, text`https://${domain}${path}`)}" "${agent}" rt=${decimal(0, 3, 3)}`,
    call(
      330,
    )`${privateIp}:${port} ${words('http-in https-in')}~ ${backend}/${server} ${list(5, 5, int(-1, 900), '/')} ${status} ${amount(100, 90_000)} ${oneOf('----', 'CD--', 'sH--')} "${verb} ${path} HTTP/1.1"`,
    call(
      170,
    )`${program}${maybe(0.2, text` *64`)} - ${target} opened through ${oneOf('proxy.corp.example:5070 HTTPS', 'gateway SOCKS5', 'direct')}`,
    call(
      165,
    )`${program}${maybe(0.2, text` *64`)} - ${target} shut, ${volume} sent, ${volume} received, lifetime ${oneOf('<1 sec', '00:01', '00:17', '02:41')}`,
    call(
      60,
    )`${program} - ${target} failed: ${oneOf('proxy refused, status code 403', 'could not resolve name', 'timed out after 21 seconds', 'connection reset by the target')}`,
    call(
      60,
    )`*${request} open() "/srv/www${path}" failed (2: no such file), client: ${publicIp}, request: "${verb} ${path} HTTP/1.1"`,
    call(
      36,
    )`*${request} upstream gave no answer in time while reading ${oneOf('response header from upstream', 'upstream')}, client: ${publicIp}, upstream: "http://${privateIp}:8080${path}"`,
    call(
      20,
    )`*${request} upstream refused the connection while connecting to upstream, client: ${publicIp}, upstream: "http://${privateIp}:8080${path}"`,
    call(24)`jk: worker environment state ${int(1, 10)} is an error state`,
    call(40)`jk: worker environment initialised from /etc/httpd/conf/workers${oneOf('2', '')}.properties`,
    call(70)`jk: child ${int(900, 30_000)} took slot ${int(1, 20)} of the scoreboard`,
    call(24)`[client ${publicIp}] listing of directory refused by rule: /srv/www/${words('html uploads')}/`,
    call(
      16,
    )`Server ${backend}/${server} is ${words('DOWN UP')}, reason: ${oneOf('Layer4 timeout', 'Layer7 wrong status, code: 503', 'Layer4 check passed')}, check took ${int(0, 2001)}ms, ${int(0, 4)} active and ${int(0, 2)} backup servers left`,
    call(
      120,
    )`cache ${words('HIT MISS EXPIRED STALE')} key=${hex(32)} zone=${words('static pages')} age=${amount(1, 90_000)}`,
    call(60)`rate limit of ${publicIp} in zone "${words('login api perip')}": excess ${decimal(0.1, 20, 3)}`,
    rare`backend '${backend}' has no server left!`,
    rare`backend '${backend}' has servers again`,
    rare`Proxy ${backend} started`,
    rare`Proxy ${backend} stopped (frontend: ${int(0, 9000)} connections, backend: ${int(0, 9000)} connections)`,
    rare`configuration read from ${words('/etc/proxy/proxy.cfg /etc/httpd/conf/httpd.conf')}, ${int(2, 40)} virtual hosts`,
    rare`graceful restart asked for, ${int(0, 40)} requests still run`,
    rare`caught SIGTERM, leaving`,
    rare`child ${int(900, 30_000)} left with status ${int(0, 3)}`,
    rare`child ${int(900, 30_000)} left on signal ${oneOf('11', '9')}${maybe(0.5, text` (core dumped)`)}`,
    rare`limit of ${oneOf('768', '1024')} connections a worker is reached`,
    rare`TLS handshake with ${publicIp} failed: ${oneOf('no shared cipher', 'unknown protocol', 'certificate unknown', 'peer closed')}`,
    rare`TLS certificate of ${domain} renewed, valid until ${oneOf('Jun', 'Sep')} ${int(1, 28)} ${clock} 2026 GMT`,
    rare`OCSP answer for ${domain} is ${words('good revoked unknown')}`,
    rare`resolver: ${domain} not found (3: host unknown)`,
    rare`resolver: ${domain} has ${int(1, 6)} addresses, ttl ${oneOf('60', '300', '3600')}`,
    rare`request header is larger than ${oneOf('8192', '16384')} bytes, client ${publicIp}`,
    rare`request body of ${amount(1_048_577, 90_000_000)} bytes is larger than allowed, client ${publicIp}`,
    rare`WAF rule ${int(920_000, 949_999)} matched "${oneOf("' OR 1=1", '<script>', '../../etc/passwd')}" at ${words('ARGS:q REQUEST_URI ARGS:id')} [client ${publicIp}]`,
    rare`stick table ${words('logins api')} has ${amount(1, 90_000)} of 100k entries`,
    rare`HTTP/2 stream ${int(1, 400)} of ${publicIp} reset, code ${padded(2, int(0, 13))}`,
  ],
}
