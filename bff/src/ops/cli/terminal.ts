import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { OperatorError } from '../../core/errors.ts'

/** Longer than any secret or answer. */
const inputCharsMax = 10_000

/** A command's input of answers and secrets. */
export type Input = {
  /** Whether the user can be prompted. */
  isTerminal: boolean
  /** Reads one line. `isHidden`: typed characters are not shown. */
  ask(question: string, isHidden?: boolean): Promise<string>
  /** Reads all piped input, without the final newline. */
  readAll(): Promise<string>
}

/** This process's input. Prompts go to standard error, so that standard output contains only results. */
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
        const ended = new Promise<never>((_, reject) =>
          lines.once('close', () => reject(new OperatorError('The input ended before the last answer.'))),
        )
        return (await Promise.race([lines.question(''), ended])).slice(0, inputCharsMax).trim()
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
