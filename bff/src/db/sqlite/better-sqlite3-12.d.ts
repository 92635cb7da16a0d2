/** The same types: `@types/better-sqlite3` are those of version 12. */
declare module 'better-sqlite3-12' {
  export { default } from 'better-sqlite3'
}
