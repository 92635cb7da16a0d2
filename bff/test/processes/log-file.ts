import { appendFileSync, readFileSync, renameSync, statSync } from 'node:fs'

/** A demo that runs for days must not fill the disk: one rotated file of this size is kept beside the current one. */
const logBytesMax = 20_000_000

export type LogFile = { write(text: string): void }

/** Appends to `path`; a file that has grown too large is moved to `<path>.old`. */
export function openLog(path: string): LogFile {
  let bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return {
    write(text) {
      if (bytes > logBytesMax) {
        renameSync(path, `${path}.old`)
        bytes = 0
      }
      appendFileSync(path, text)
      bytes += Buffer.byteLength(text)
    },
  }
}

/** The last lines of a log, for an error message about a part that fails to start. */
export function logTail(path: string, lines = 12): string {
  try {
    return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-lines).join('\n')
  } catch {
    return '(no output)'
  }
}
