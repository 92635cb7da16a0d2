import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs'
import type { Entry } from './ledger.ts'

/** The chain's history, one entry per line, so that a killed node restarts with all of it. */
export type Journal = { entries: readonly Entry[]; append(entry: Entry): void }

/** Removes a line torn by a kill: nobody has received its result. */
export function openJournal(path: string): Journal {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole))
  const entries = whole.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Entry]))
  // A completed write survives the process's death; a crash of the machine ends the devnet anyway.
  return { entries, append: (entry) => appendFileSync(path, `${JSON.stringify(entry)}\n`) }
}
