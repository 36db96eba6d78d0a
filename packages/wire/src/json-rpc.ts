/** Where a message of MCP names the revision of the protocol, in its `_meta`. */
export const VERSION_FIELD = 'io.modelcontextprotocol/protocolVersion'

/** The errors that JSON-RPC itself defines, and the one it leaves to servers. */
export const PARSE_ERROR = -32_700
export const INVALID_REQUEST = -32_600
export const METHOD_NOT_FOUND = -32_601
export const INVALID_PARAMS = -32_602
export const INTERNAL_ERROR = -32_603
export const SERVER_ERROR = -32_000
