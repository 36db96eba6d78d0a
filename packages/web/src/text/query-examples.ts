/** Each can be run as it stands, and shows another part of the language. */
export const QUERY_EXAMPLES: readonly { query: string; about: string }[] = [
  { query: 'timeout', about: 'a word in the message, upper or lower case' },
  { query: '"connection refused"', about: 'words in this order' },
  { query: 'level:>=error', about: 'this level and more severe ones' },
  { query: 'service:(checkout OR payments)', about: 'one of several values' },
  { query: 'service:pay*', about: 'a value that begins like this' },
  { query: '-level:debug', about: 'everything else' },
  { query: 'http.status:>=500', about: 'an attribute compared with a number' },
  { query: 'duration:[100 TO 500]', about: 'a number between two, both included' },
  { query: 'has:error.type', about: 'records that have the field at all' },
  { query: 'message:/order \\d+ (failed|declined)/', about: 'a regular expression (RE2)' },
  { query: 'level:error (timeout OR refused) -host:web-1', about: 'all of this combined' },
]
