import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Longer than any secret or answer. */
const inputCharsMax = 10_000

/** Where a command reads answers and secrets. */
export type Input = {
  /** Whether a person can be asked. */
  isTerminal: boolean
  /** Reads one line. `isHidden`: typed characters are not shown. */
  ask(question: string, isHidden?: boolean): Promise<string>
  /** Reads everything that is piped in, without the newline at its end. */
  readAll(): Promise<string>
}

/** The input of this process. Questions go to the error output, so that standard output holds only answers. */
export function systemInput(): Input {
  return {
    isTerminal: process.stdin.isTTY === true && process.stderr.isTTY === true,
    async ask(question, isHidden = false) {
      process.stderr.write(question)
      const silent = new Writable({ write: (_, __, done) => done() })
      const lines = createInterface({
        input: process.stdin,
        output: isHidden ? silent : process.stderr,
        terminal: isHidden,
      })
      try {
        return (await lines.question('')).slice(0, inputCharsMax).trim()
      } finally {
        lines.close()
        if (isHidden) process.stderr.write('\n')
      }
    },
    async readAll() {
      let text = ''
      for await (const chunk of process.stdin) {
        text += String(chunk)
        if (text.length > inputCharsMax) break
      }
      return text.slice(0, inputCharsMax).trim()
    },
  }
}
