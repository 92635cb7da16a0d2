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

/** The last lines of a log, indented, for an error message about a part that fails to start. */
export function logTail(path: string, lines = 12): string {
  try {
    const last = readFileSync(path, 'utf8').trimEnd().split('\n').slice(-lines)
    return last.map((line) => `  ${sentenceOf(line)}`).join('\n')
  } catch {
    return '  (no output)'
  }
}

/** A line of JSON as its message and error; any other line as it is. */
function sentenceOf(line: string): string {
  try {
    const { msg, err } = JSON.parse(line) as { msg?: unknown; err?: { message?: unknown } }
    const said = [msg, err?.message].filter((text) => typeof text === 'string' && text !== '')
    return said.length > 0 ? said.join(': ') : line
  } catch {
    return line
  }
}
