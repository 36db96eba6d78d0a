/** What may cross the network, where several doors enforce it. What happens at each limit is stated beside it. */
import { HOUR_US } from './time/units.ts'

/** For every request without log records: deploys, messages of agents, settings. At the limit: 413. */
export const MAX_JSON_BODY_BYTES = 256 * 1024

/** A record or a deploy dated further ahead of its arrival is rejected: the sender's clock is wrong. */
export const MAX_AHEAD_US = 24 * HOUR_US
export const MAX_AHEAD_HOURS = MAX_AHEAD_US / HOUR_US

/**
 * Names that are compared exactly: environment, service, host, revision, author … A longer environment, and a longer
 * name in a deploy, is refused, because half of it would be another one; other names of a record are cut.
 */
export const MAX_NAME_CHARACTERS = 255

/** Names that people give: to a project, to a key, to themselves. A longer one is refused. */
export const MAX_GIVEN_NAME_CHARACTERS = 100

/** An address, of a repository or of a CI run. A longer one is refused. */
export const MAX_URL_CHARACTERS = 2_048

/** Lines of a text that are read as a stack trace; what follows is not looked at, and need not be joined to it. */
export const MAX_STACK_LINES = 2_000

/** A tail shows new records, and those that arrive up to this late; older ones are history. */
export const MAX_TAIL_LATENESS_MS = 15 * 60_000

/** Rows of one page. More are refused. */
export const MAX_LIMIT = 500

/** The message of a deploy. A longer one is refused. */
export const MAX_DEPLOY_MESSAGE_CHARACTERS = 10_000
