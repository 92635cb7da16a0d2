/** Whether a configuration names a PostgreSQL database; otherwise it names SQLite's file. */
export const isPostgres = (database: string): boolean => /^postgres(ql)?:\/\//.test(database)

/** The database's name for logs and messages: the URL without password and options, which may contain a password too. */
export function shownDatabase(database: string): string {
  if (!isPostgres(database) || !URL.canParse(database)) return database
  const { username, host, pathname } = new URL(database)
  return `postgres://${username === '' ? '' : `${username}@`}${host}${pathname}`
}

/**
 * Why a database's name is invalid; null when it is valid. The text never contains the name, which may include
 * a password.
 */
export function databaseFault(database: string): string | null {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(database)) return null
  if (!isPostgres(database)) return 'must be a path, or a URL such as postgres://user:password@host:5432/checkout'
  if (!URL.canParse(database))
    return 'must be a valid URL: special characters of the password are written as %40, %2F and so on'
  const { pathname } = new URL(database)
  return pathname.length > 1 ? null : 'must name the database, as in postgres://user:password@host:5432/checkout'
}
