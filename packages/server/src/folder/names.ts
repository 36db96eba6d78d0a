/** What lies in the data folder. A name is in use wherever a service has run, so none of them can change. */

/** Projects, keys and the rest of the control store, with SQLite. */
export const CONTROL_FILE = 'control.db'
/** The records, with the embedded engine. */
export const ENGINE_FOLDER = 'engine'
/** What was acknowledged and is not in the log store yet. */
export const SPOOL_FOLDER = 'spool'
/** Mirrors of connected repositories. */
export const REPOSITORIES_FOLDER = 'repositories'
/** Unless it comes from a variable. */
export const SECRET_KEY_FILE = 'secret.key'

/** Held by the service that uses the folder. */
export const LOCK_FILE = 'tidemark.lock'
/** Says to people which process that is. */
export const PID_FILE = 'tidemark.pid'
/** Addresses of the running service, for commands that print them. */
export const ADDRESS_FILE = 'tidemark.address'
/** Written and removed to see whether the disk can be written to. */
export const PROBE_FILE = '.probe'
/** Written and removed by the readiness check. It has a name of its own, because a second service that starts writes `PROBE_FILE`. */
export const RUNNING_PROBE_FILE = '.probe-running'
/** Held while a backup is made: here if it goes into a bucket, else in the folder of the backups. */
export const BACKUP_LOCK_FILE = 'backup.lock'

/** There while a restore has begun and not ended. */
export const RESTORE_MARKER = 'restore-unfinished'
/** What a restore has brought and not loaded yet. */
export const RESTORE_FOLDER = 'restore'
