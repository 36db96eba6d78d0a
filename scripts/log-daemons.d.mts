type LogDaemon = { program: string; folder: string; libraries: string[]; env: Record<string, string> }

export function findLogDaemon(name: 'rsyslog' | 'syslog-ng' | 'journal-upload'): Promise<LogDaemon | string>
