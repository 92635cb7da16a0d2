import { waitUntil as waitUntilSoon } from '@open-wc/testing'

/** The library's, but not bounded by one second: the files of a page that is not built come one by one, and a machine may be busy. */
export const waitUntil: typeof waitUntilSoon = (condition, message, options) =>
  waitUntilSoon(condition, message, { timeout: 50_000, ...options })
