/** The same types, because `@types/better-sqlite3` describes version 12. */
declare module 'better-sqlite3-12' {
  export { default } from 'better-sqlite3'
}
