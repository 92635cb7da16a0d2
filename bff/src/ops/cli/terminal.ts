import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** More than any secret or answer has. */
const inputCharsMax = 10_000

/** Where answers come from. */
export type Input = {
  /** A person is there to be asked. */
  isTerminal: boolean
  /** One line. `isHidden`: what is typed is not shown. */
  ask(question: string, isHidden?: boolean): Promise<string>
  /** Everything that is piped in, without the line's end. */
  readAll(): Promise<string>
}

/** The process's own terminal, or what is piped into it. Questions go to the error output: the other is for answers. */
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
