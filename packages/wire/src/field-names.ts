/**
 * What other shippers call our fields. The order within a list is the order of trust: the first name that carries a
 * usable value wins, the others stay attributes. A dotted name is understood flat (`"service.name"`) and nested
 * (`"service": { "name" }`), at the top of a record and inside `attributes`; a plain name only at the top.
 */
export const SLOTS = [
  'message',
  'time',
  'level',
  'environment',
  'service',
  'host',
  'logger',
  'release',
  'traceId',
  'spanId',
  'error',
  'errorType',
  'errorMessage',
  'errorStack',
] as const

export type Slot = (typeof SLOTS)[number]

/**
 * What a name's value must be to count:
 * - `any`: everything, because the name is ours; a wrong type is the sender's mistake and is reported
 * - `text`: a text that is not empty, because the name is often used for something else
 * - `name`: a text, number or boolean
 * - `clock`: a date, even an impossible one, or an epoch after 1973; a smaller number is a duration and an attribute
 * - `time`: something that reads as a time; otherwise the value is an attribute and the time is the arrival
 * - `levelName`: one of the plain level names; `severityNumber`: OpenTelemetry's 1–24
 * - `error`: an error object or a text
 */
export type Accepts = 'any' | 'text' | 'name' | 'clock' | 'time' | 'levelName' | 'severityNumber' | 'error'

export const FIELD_NAMES: Record<Slot, readonly (readonly [accepts: Accepts, names: string])[]> = {
  message: [
    ['any', 'message'],
    ['text', 'msg Message body log text event @m RenderedMessage short_message textPayload MESSAGE @mt log.message'],
  ],
  time: [
    ['any', 'timestamp @timestamp'],
    ['clock', 'time ts eventTime _time'],
    ['time', 'date datetime dt Timestamp @t asctime'],
  ],
  level: [
    ['any', 'level'],
    ['name', 'severity severity_text severityText lvl level_name levelname log.level Level @l loglevel error_severity'],
    ['severityNumber', 'severity_number severityNumber'],
    ['levelName', 'status'],
  ],
  environment: [
    ['any', 'environment'],
    [
      'text',
      'env deployment.environment.name deployment.environment service.environment dd.env fields.environment fields.env',
    ],
  ],
  service: [['name', 'service service.name service_name serviceName app application dd.service fields.service']],
  host: [['name', 'host hostname host.name host_name']],
  logger: [['name', 'logger log.logger logger.name logger_name loggerName scope SourceContext otel.scope.name']],
  release: [['name', 'release version service.version app_version dd.version']],
  traceId: [
    ['name', 'traceId trace_id trace.id traceID otelTraceID dd.trace_id trace_id_hex fields.traceId fields.trace_id'],
  ],
  spanId: [['name', 'spanId span_id span.id spanID otelSpanID dd.span_id fields.spanId fields.span_id']],
  error: [['error', 'error err exception exc Exception @x exc_info']],
  errorType: [['text', 'error.type error.kind error.name exception.type err.type error_type exception_type']],
  errorMessage: [['text', 'error.message exception.message err.message error_message exception_message']],
  errorStack: [
    [
      'text',
      'error.stack error.stack_trace error.stacktrace exception.stacktrace exception.stack err.stack stack stack_trace stacktrace stackTrace backtrace traceback',
    ],
  ],
}

/**
 * Names that are as often something else: the status of an answer, the scope of a token, the text of an event. Ingest tells
 * by the value; a query has only the name and takes it for an attribute, like every name with an `@` in front.
 */
export const ALSO_ATTRIBUTES: ReadonlySet<string> = new Set(
  'status severity_number severityNumber body log text event scope @m @mt @l'.split(' '),
)

/** Of each name at the top of a record: its field, and its place in the order of trust. */
export type Place = { slot: Slot; rank: number; accepts: Accepts }
export const PLACES: ReadonlyMap<string, Place> = new Map(
  SLOTS.flatMap((slot) =>
    FIELD_NAMES[slot]
      .flatMap(([accepts, names]) => names.split(' ').map((name) => ({ name, accepts })))
      .map(({ name, accepts }, rank) => [name, { slot, rank, accepts }] as const),
  ),
)

export function namesOf(slot: Slot): string[] {
  return FIELD_NAMES[slot].flatMap(([, names]) => names.split(' '))
}

const PLAIN_BUT_CLEAR = new Set(
  'trace_id span_id otelTraceID otelSpanID stack stack_trace stacktrace stackTrace backtrace traceback exc_info'.split(
    ' ',
  ),
)

/** Whether a name counts inside of `attributes` too. */
export function isDeepName(name: string): boolean {
  return name.includes('.') || PLAIN_BUT_CLEAR.has(name)
}

/** What loggers call the parts without which an object is no error, in the order they are trusted. */
export const ERROR_MESSAGE_KEYS = ['message', 'msg', 'description', 'reason', 'exc_value', 'Message']
export const ERROR_STACK_KEYS = [
  ...['stack', 'stacktrace', 'stack_trace', 'stackTrace', 'backtrace', 'traceback', 'trace', 'StackTrace'],
]
