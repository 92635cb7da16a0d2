import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

/** Stores entries across a restart, as a merchant's database would. */
export type Journal<Entry> = { append(entry: Entry): void }

/**
 * Calls `replay` for the last `entriesMax` entries of the file, oldest first, then appends new ones to it. Drops a last
 * line that a kill cut short: its webhook was not acknowledged, so it is delivered again.
 */
export function openJournal<Entry>(
  path: string | null,
  entriesMax: number,
  replay: (entry: Entry) => void,
): Journal<Entry> {
  if (path === null) return { append: () => {} }
  const entries = readEntries<Entry>(path).slice(-entriesMax)
  for (const entry of entries) replay(entry)
  writeFileSync(`${path}.tmp`, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''), { mode: 0o600 })
  renameSync(`${path}.tmp`, path)
  return { append: (entry) => appendFileSync(path, `${JSON.stringify(entry)}\n`) }
}

function readEntries<Entry>(path: string): Entry[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return []
  }
  // A truncated line may follow the last line break.
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Entry)
}
