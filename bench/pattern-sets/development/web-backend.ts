import { call, type ProgramLog, rare, text } from '../call.ts'
import {
  amount,
  base36,
  decimal,
  either,
  email,
  few,
  flag,
  hex,
  int,
  list,
  maybe,
  moment,
  oneOf,
  person,
  privateIp,
  rising,
  someOf,
  uuid,
  words,
} from '../values.ts'

const user = few(50, int(1000, 90_000))
const route = either(
  text`/api/projects/${int(1, 900)}`,
  text`/api/projects/${int(1, 900)}/members`,
  text`/api/me`,
  text`/login`,
  text`/api/files/${uuid}`,
  text`/health`,
)
const verb = words('GET POST PATCH DELETE')
const status = oneOf('200', '201', '304', '404', '401', '500')
const queue = words('mailer thumbnails exports webhooks default')
const jobClass = words('SendWelcomeMail ResizeImage ExportCsv DeliverWebhook CleanupSessions')
const failure = oneOf(
  'connect ECONNREFUSED 10.0.3.14:6379',
  "Cannot read properties of undefined (reading 'id')",
  'socket hang up',
  'deadline exceeded',
  'Request failed with status code 502',
  'context canceled',
)
const title = oneOf('Q3 roadmap', 'Website', 'new project', 'Kitchen renovation 2025', 'Team-internal', 'test')
const sql = either(
  text`SELECT * FROM ${words('users projects files')} WHERE id = $1`,
  text`SELECT count(*) FROM memberships WHERE project_id = $1 AND role IN ($2, $3)`,
  text`UPDATE projects SET title = $1, updated_at = now() WHERE id = $2`,
  text`INSERT INTO files (id, name, bytes) VALUES ($1, $2, $3)`,
)
const trace = hex(32)
const cache = words('session project_by_id feature-flags permissions')

export const webBackend: ProgramLog = {
  name: 'web-backend',
  heldOut: false,
  calls: [
    call(
      330,
    )`{"event":"http.request","method":"${verb}","path":"${route}","status":${status},"durationMs":${amount(1, 4000)},"userId":${either(user, text`null`)},"traceId":"${trace}"}`,
    call(
      200,
    )`level=info msg="request served" method=${verb} path=${route} status=${status} dur=${decimal(0.1, 900, 3)}ms bytes=${amount(2, 90_000)} user=${maybe(0.7, user)}`,
    call(140)`${verb} ${route} ${status} ${decimal(0.3, 900, 3)} ms - ${either(amount(2, 90_000), text`-`)}`,
    call(120)`Query took ${decimal(0.2, 900, 1)}ms: ${sql}`,
    call(90)`(worker-${int(1, 8)}) begins ${jobClass} of queue ${queue} (job ${uuid})`,
    call(86)`(worker-${int(1, 8)}) finished ${jobClass} of queue ${queue} (job ${uuid}) in ${decimal(1, 9000, 2)}ms`,
    call(20)`(worker-${int(1, 8)}) gave up ${jobClass} of queue ${queue} (job ${uuid}): ${failure}`,
    call(70)`cache ${words('hit miss')} for ${cache}:${int(1, 9000)}`,
    call(50)`User ${user} signed in from ${privateIp}`,
    call(40)`User ${user} signed out`,
    call(
      36,
    )`{"event":"project.updated","projectId":${int(1, 900)},"fields":[${someOf(1, 4, '"title" "color" "dueDate" "ownerId"', ',')}],"by":${user}}`,
    call(
      30,
    )`{"event":"mail.sent","to":"${email}","template":"${words('welcome reset digest invite')}","provider":"${words('ses smtp')}","attempt":${int(1, 3)}}`,
    call(
      24,
    )`level=warn msg="slow query" query=${words('ListProjects CountFiles SearchMembers')} dur=${decimal(1, 9, 2)}s rows=${amount(1, 9000)}`,
    call(24)`Websocket connected: client=${base36(20)} rooms=[${list(0, 3, text`project:${int(1, 900)}`)}]`,
    call(
      22,
    )`Websocket disconnected: client=${base36(20)} reason=${oneOf('transport close', 'ping timeout', 'client namespace disconnect')}`,
    call(
      16,
    )`Login failed for ${either(email, person)}: ${oneOf('wrong password', 'unknown user', 'account locked', 'second factor missing')}`,
    call(
      14,
    )`Validation failed: ${list(1, 3, oneOf("Name can't be blank", 'Email is invalid', 'Title is too long (maximum is 80 characters)'))}`,
    rare`Project "${title}" created by user ${user}`,
    rare`Project "${title}" archived by user ${user}`,
    rare`Project "${title}" deleted by user ${user}`,
    rare`{"event":"mail.failed","to":"${email}","template":"${words('welcome reset digest invite')}","error":"${failure}"}`,
    rare`{"event":"upload.finished","file":"${oneOf('plan.pdf', 'IMG_2041.jpg', 'notes', 'Budget 2025.xlsx')}","bytes":${amount(900, 9_000_000)},"userId":${user}}`,
    rare`{"event":"upload.rejected","file":"${oneOf('setup.exe', 'IMG_2041.heic', 'archive', 'Budget 2025.xlsm')}","reason":"${words('type size virus')}","userId":${user}}`,
    rare`level=error msg="webhook delivery failed" url=https://${words('hooks.example.com n8n.acme-tools.example')}/${base36(8)} attempt=${int(1, 5)} err="${failure}"`,
    rare`level=info msg="webhook delivered" url=https://${words('hooks.example.com n8n.acme-tools.example')}/${base36(8)} attempt=${int(1, 5)}`,
    rare`level=info msg="config reloaded" file=${words('/etc/app/config.yaml /etc/app/flags.json')} changed=${int(0, 9)}`,
    rare`level=warn msg="rate limited" key=${either(text`ip:${privateIp}`, text`user:${user}`)} limit=${oneOf('100', '600')} window=1m0s`,
    rare`Unhandled rejection at ${words('checkout syncCalendar renderDigest')}: ${failure}`,
    rare`TypeError: ${oneOf("Cannot read properties of undefined (reading 'map')", 'x.trim is not a function', 'Invalid time value')}`,
    rare`[runtime:${int(1, 9000)}] Warning: ${oneOf('Setting the timeout to a negative number is not supported.', 'Possible memory leak, 11 message listeners added to [Socket].', 'Buffer() is discouraged, use Buffer.alloc() instead.')}`,
    rare`Server listens on http://0.0.0.0:${oneOf('3000', '8080')} after ${int(300, 9000)} ms`,
    rare`Shutting down, ${int(0, 40)} requests still open`,
    rare`Worker ${int(1, 8)} exited with code ${oneOf('0', '1', '137')}, starting a new one`,
    rare`Migration ${int(20_240_101, 20_251_231)}_${words('add_due_date create_files index_members')} ran in ${int(3, 9000)} ms`,
    rare`Pool ${words('primary replica')}: ${int(0, 20)} idle, ${int(0, 20)} busy, ${int(0, 90)} waiting`,
    rare`Feature flag ${words('new-editor dark_mode beta.search')} is ${words('on off')} for ${int(0, 100)}% of users`,
    rare`Circuit breaker ${words('billing search geo')} opened after ${int(5, 20)} failures`,
    rare`Circuit breaker ${words('billing search geo')} closed`,
    rare`Retrying ${words('billing search geo')} request (attempt ${int(2, 5)} of 5): ${failure}`,
    rare`Export ${uuid} for user ${user} finished: ${amount(1, 90_000)} rows, ${decimal(0.1, 90, 1)} MB`,
    rare`Export ${uuid} for user ${user} failed: ${failure}`,
    rare`Session ${hex(16)} of user ${user} expired at ${moment}`,
    rare`Invite for ${email} to "${title}" accepted`,
    rare`Invite for ${email} to "${title}" expired`,
    rare`Two-factor enabled for user ${user} (${words('totp webauthn')})`,
    rare`OAuth callback from ${words('github google azure-ad')}: state ok=${flag}, new account=${flag}`,
    rare`Calendar sync of user ${user}: ${int(0, 90)} added, ${int(0, 90)} changed, ${int(0, 9)} removed`,
    rare`Consumer lag on ${queue}: ${rising(10, 0.1)} jobs, oldest ${decimal(1, 900, 1)}s`,
    rare`Search index ${words('projects files people')} rebuilt with ${amount(10, 900_000)} documents`,
    rare`Dropped ${int(1, 900)} analytics events, buffer is full`,
  ],
}
