/// <reference path="./better-sqlite3-12.d.ts" />
import Current from 'better-sqlite3'
import ForNode20 from 'better-sqlite3-12'

/**
 * The versions share one API, but neither runs everywhere: 12 aborts the process on Node 24.19 and newer when a statement is collected
 * (https://github.com/nodejs/node/issues/65446), and 13 crashes on Node 20. Importing them loads no native code yet.
 */
export const SQLite = process.versions.node.startsWith('20.') ? ForNode20 : Current
export type Connection = Current.Database
export type ConnectionOptions = Current.Options
