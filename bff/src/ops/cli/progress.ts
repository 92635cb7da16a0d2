import type { Io } from './cli.ts'

/** Width of the bar in characters. */
const barWidth = 30

/** Percent between two plain lines. */
const plainEvery = 10

/** Milliseconds between two redraws on a terminal. */
const drawEveryMs = 100

export type Progress = {
  /** `label` names the work; `done` of `total`. */
  show(label: string, done: number, total: number): void
  /** Removes the bar, so that later output starts on an empty line. */
  end(): void
}

/** On standard error, so that the command's output stays unchanged. */
export const progressOf = ({ writeError, input, runtime }: Io): Progress =>
  createProgress(writeError, { isTerminal: input.isTerminal, nowMs: runtime.nowMs })

/** Progress of a long command: one bar on a terminal, a line for each tenth otherwise. */
export function createProgress(
  write: (text: string) => void,
  { isTerminal, nowMs }: { isTerminal: boolean; nowMs: () => number },
): Progress {
  let shownLabel = ''
  let shownPercent = 0
  let drawnAtMs = Number.NEGATIVE_INFINITY
  let isDrawn = false
  return {
    show(label, done, total) {
      const percent = total === 0 ? 100 : Math.floor((done / total) * 100)
      if (isTerminal) {
        const isDue = nowMs() - drawnAtMs >= drawEveryMs || percent === 100
        if (!isDue) return
        drawnAtMs = nowMs()
        isDrawn = true
        const filled = Math.round((percent / 100) * barWidth)
        write(`\r\u001b[K${label} ${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${percent} %`)
        return
      }
      const isNew = label !== shownLabel
      if (!isNew && percent < shownPercent + plainEvery && (percent < 100 || shownPercent === 100)) return
      shownLabel = label
      shownPercent = percent
      write(`${label} ${percent} %\n`)
    },
    end() {
      if (isDrawn) write('\r\u001b[K')
      isDrawn = false
    },
  }
}
