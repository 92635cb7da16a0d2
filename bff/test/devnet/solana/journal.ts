import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs'
import type { Entry } from './ledger.ts'

/** What happened on the chain, a line each, so that a node that dies is started again with all of it. */
export type Journal = { entries: readonly Entry[]; append(entry: Entry): void }

/** A line that a kill has torn is cut off: nobody was told of what it holds. */
export function openJournal(path: string): Journal {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole))
  const entries = whole.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Entry]))
  // A write that returned survives the process's death; the machine's is the end of a devnet anyway.
  return { entries, append: (entry) => appendFileSync(path, `${JSON.stringify(entry)}\n`) }
}
