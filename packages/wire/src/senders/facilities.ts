/** The names of RFC 5424's facilities as programs write them, by number. */
export const FACILITIES: readonly string[] = [
  ...['kern', 'user', 'mail', 'daemon', 'auth', 'syslog', 'lpr', 'news'],
  ...['uucp', 'cron', 'authpriv', 'ftp', 'ntp', 'audit', 'alert', 'clock'],
  ...['local0', 'local1', 'local2', 'local3', 'local4', 'local5', 'local6', 'local7'],
]
