/** What may cross the network, where several doors enforce it. What happens at each limit is stated beside it. */
import { HOUR_US, MINUTE_MS, SECOND_MS } from './time/units.ts'

/** For every request without log records: deploys, messages of agents, settings. At the limit: 413. */
export const MAX_JSON_BODY_BYTES = 256 * 1024

/** Calls under way at once with one read key, of the API and of MCP together. The next is refused with 429. */
export const MAX_CALLS_AT_ONCE = 8

/** The name of a tool, a prompt or a template, by which calls over MCP are listed. A longer one is refused. */
export const MAX_CALL_NAME_CHARACTERS = 64
/** How long calls over MCP are listed, and how many of one key and of one project. Beyond, the oldest are forgotten. */
export const CALLS_KEPT_DAYS = 30
export const MAX_CALLS_OF_A_KEY = 10_000
export const MAX_CALLS_OF_A_PROJECT = 50_000

/** A record or a deploy dated further ahead of its arrival is rejected: the sender's clock is wrong. */
export const MAX_AHEAD_US = 24 * HOUR_US
export const MAX_AHEAD_HOURS = MAX_AHEAD_US / HOUR_US

/** The texts and keys of one record as they were sent. A larger record is rejected. */
export const MAX_RECORD_BYTES = 256 * 1024
/** A record with more is rejected. */
export const MAX_ATTRIBUTES = 256

/** A field of an entry of a journal that is larger than a record is left out, and the entry says so … */
export const MAX_JOURNAL_FIELD_BYTES = MAX_RECORD_BYTES
/** … and an entry with more fields is rejected. */
export const MAX_JOURNAL_FIELDS = 1_024

/** With more distinct UTC days among its accepted records a request is refused with 400: each day is a partition. */
export const MAX_REQUEST_DAYS = 8

/** A tail that has nothing to say sends a sign of life after this. One that stays silent for much longer is dead. */
export const TAIL_KEEP_ALIVE_MS = 15 * SECOND_MS

/**
 * Names that are compared exactly: environment, service, host, revision, author … A longer environment, and a longer
 * name in a deploy, is refused, because half of it would be another one; other names of a record are cut.
 */
export const MAX_NAME_CHARACTERS = 255

/** An id that the service gave, with room for other forms of it. A longer one is refused before it is looked for. */
export const MAX_ID_CHARACTERS = 64

/** Names that people give: to a project, to a key, to themselves. A longer one is refused. */
export const MAX_GIVEN_NAME_CHARACTERS = 100

/** Keys of a project that are neither revoked nor expired, of all kinds together. Each has its own rate. One more gets 409. */
export const MAX_ACTIVE_KEYS = 1_000

/** Invitations that can still be accepted, of a project, and those that one person created. One more gets 409. */
export const MAX_OPEN_INVITATIONS = 500
export const MAX_OPEN_INVITATIONS_OF_A_PERSON = 5_000

/** Projects that a person owns. One more gets 409. Owners of the instance may create any number. */
export const MAX_OWNED_PROJECTS = 100

/** An e-mail address, of a person or of who gets alerts: as long as mail itself allows. A longer one is refused. */
export const MAX_EMAIL_CHARACTERS = 254

/** A shorter or longer password is refused. */
export const MIN_PASSWORD_CHARACTERS = 8
export const MAX_PASSWORD_CHARACTERS = 256

/**
 * What is sent as the name of a thing, as a password or as the token of a link: longer than any that is good, so that what
 * is wrong with one can be explained. A still longer one is refused unseen.
 */
export const MAX_SENT_NAME_CHARACTERS = 400
export const MAX_SENT_PASSWORD_CHARACTERS = 1_024
export const MAX_LINK_TOKEN_CHARACTERS = 128

/** How long a project may keep its records. A longer time is refused. */
export const MAX_RETENTION_DAYS = 3_650
/** For records that are kept longer or shorter than the rest. More are refused. */
export const MAX_RETENTION_RULES = 20

/** How long a link works that lets somebody in: an invitation, or that of the owner. */
export const LINK_HOURS = 72
/** How long a link works with which a member chooses a new password. */
export const RESET_LINK_HOURS = 24

/** What a question names: a time, a length of time, a level, a field or the beginning of its values. A longer one is refused. */
export const MAX_TIME_CHARACTERS = 64
export const MAX_DURATION_CHARACTERS = 16
export const MAX_LEVEL_CHARACTERS = 20
export const MAX_FIELD_NAME_CHARACTERS = 128

/** A value by which records are counted. A longer one is counted by its beginning, which no query can ask for. */
export const MAX_COUNTED_VALUE_CHARACTERS = 256

/** What is looked for among analyses. More is refused. */
export const MAX_ANALYSES_QUERY_CHARACTERS = 500
/** What is typed to jump somewhere. Fewer characters name everything, and find nothing. */
export const LEAST_FOUND_CHARACTERS = 2

/** Analyses that people change at once. More are refused. */
export const MAX_CHANGED_AT_ONCE = 100
/** Analyses that people choose in the list, which are changed in batches of the above. Of more, those seen last are chosen. */
export const MAX_CHOSEN = 1_000

/** A comment on an analysis, and how many comments an analysis takes. More is refused. */
export const MAX_COMMENT_CHARACTERS = 4_000
export const MAX_COMMENTS = 200

/** The name of a saved view, how many views a project shares, and how many a person keeps there. More is refused. */
export const MAX_VIEW_NAME_CHARACTERS = 80
export const MAX_SHARED_VIEWS = 200
export const MAX_OWN_VIEWS = 100

/** Each part of a saved view: its query, its columns. A longer one is refused. */
export const MAX_VIEW_PART_CHARACTERS = 4_096
export const MAX_VIEW_BYTES = 8_192

/** An address, of a repository, of a CI run or of a ticket. A longer one is refused. */
export const MAX_URL_CHARACTERS = 2_048

/** What an OAuth client asks for, as the query of an address. A longer one is refused. */
export const MAX_CONSENT_REQUEST_CHARACTERS = 8_192

/** What somebody pastes to find out what it is: a whole stack trace or a long line. A longer one is refused. */
export const MAX_REF_CHARACTERS = 8_192

/** The branch of a repository that is followed, and what opens the repository. A longer one is refused. */
export const MAX_BRANCH_CHARACTERS = 255
export const MAX_TOKEN_CHARACTERS = 4_096
export const MAX_DEPLOY_KEY_CHARACTERS = 16_384

/** The message of a record. A longer one is cut and marked. */
export const MAX_MESSAGE_BYTES = 64 * 1024

/** Lines of a text that are read as a stack trace; what follows is not looked at, and need not be joined to it. */
export const MAX_STACK_LINES = 2_000

/** A tail shows new records, and those that arrive up to this late; older ones are history. */
export const MAX_TAIL_LATENESS_MS = 15 * MINUTE_MS

/** Rows of one page. More are refused. */
export const MAX_LIMIT = 500
/** The cursor of the next page. A longer one is refused. */
export const MAX_CURSOR_CHARACTERS = 2_048

/** Records on each side of one that is shown in its context. More than the most are refused. */
export const DEFAULT_NEIGHBOURS = 10
export const MAX_NEIGHBOURS = 100

/** The message of a deploy. A longer one is refused. */
export const MAX_DEPLOY_MESSAGE_CHARACTERS = 10_000

/** How far back what changed is looked for. Less or more is refused. */
export const DEFAULT_LOOKBACK = '24h'
export const MAX_LOOKBACK = '7d'
export const MIN_LOOKBACK = '1m'

/** A source map, as sent and after inflation. A larger one is refused with 413. */
export const MAX_SOURCE_MAP_BYTES = 16 * 1024 * 1024
/** The name of the file that a source map is of. A longer one is refused. */
export const MAX_MAPPED_FILE_CHARACTERS = 500
/**
 * Files of one release and of all of a project, its releases, and what its maps take in the store. One more is refused
 * with 409.
 */
export const MAX_SOURCE_MAPS_OF_A_RELEASE = 1_000
export const MAX_SOURCE_MAPS_OF_A_PROJECT = 20_000
export const MAX_MAPPED_RELEASES = 500
export const MAX_STORED_MAP_BYTES = 512 * 1024 * 1024
