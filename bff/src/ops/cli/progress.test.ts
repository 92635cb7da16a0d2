import { expect, test } from 'vitest'
import { createProgress } from './progress.ts'

function open(isTerminal: boolean) {
  const written: string[] = []
  let nowMs = 0
  const progress = createProgress((text) => written.push(text), { isTerminal, nowMs: () => nowMs })
  const later = (ms: number) => {
    nowMs += ms
  }
  return { progress, written, later }
}

test('without a terminal, each tenth is a line', () => {
  const { progress, written } = open(false)
  for (let done = 1; done <= 1_000; done++) progress.show('base: chain', done, 1_000)
  progress.show('base: books', 0, 0)
  progress.end()
  expect(written).toHaveLength(12)
  expect([written[0], written[1], written[10], written[11]]).toEqual([
    ...['base: chain 0 %\n', 'base: chain 10 %\n', 'base: chain 100 %\n', 'base: books 100 %\n'],
  ])
})

test('on a terminal one bar is redrawn, at most ten times a second, and removed at the end', () => {
  const { progress, written, later } = open(true)
  for (let done = 0; done <= 1_000; done++) {
    progress.show('base: chain', done, 1_000)
    later(1)
  }
  expect(written.length).toBeLessThan(25)
  expect(written.every((text) => text.startsWith('\r\u001b[K') && !text.includes('\n'))).toBe(true)
  progress.end()
  expect(written.at(-1)).toBe('\r\u001b[K')
})
