/** What a reader makes of a piece of a file: a record as JSON text on one line, or why it is not one. */
export type Entry = {
  /** Where it begins, from 1. */
  line: number
  /** Offset of the byte after it, counted after inflation. */
  endOffset: number
} & ({ json: string; day: string } | { problem: string })

/** Each with what it is, in the order in which a list names them. */
export const FORMATS = {
  ndjson: 'one JSON object in a line',
  json: 'a JSON array, or JSON objects over several lines',
  text: 'plain text, with stack traces',
  csv: 'CSV with a header',
  container: "Docker's `*-json.log`, or `docker logs` or `kubectl logs` with `--timestamps`",
  access: 'an access log of nginx or Apache',
  'nginx-error': 'an error log of nginx',
  'apache-error': 'an error log of Apache',
  'journal-json': '`journalctl -o json`',
  'journal-export': '`journalctl -o export`',
  loki: '`logcli --output=jsonl`, or what Loki answers to `query_range`',
  elasticsearch: "elasticdump's documents, or what Elasticsearch answers to a search",
} as const
export type Format = keyof typeof FORMATS

/** For records that do not carry their own. */
export type Defaults = { service?: string; environment?: string; level?: string }
