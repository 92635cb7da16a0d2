import { expect, test } from 'vitest'
import { createSharedAnswers } from './shared-answers.ts'

function open(keysMax = 2) {
  const clock = { ms: 1_000 }
  const asked: { key: string; answer(text: string): void; fail(error: Error): void }[] = []
  const share = createSharedAnswers<string>({ keptMs: 100, keysMax, nowMs: () => clock.ms })
  const read = (key: string) =>
    share(
      key,
      () =>
        new Promise((resolve, reject) => {
          asked.push({ key, answer: resolve, fail: reject })
        }),
    )
  return { clock, asked, read }
}

test('whoever asks the same while it is being answered, however long that takes, shares the answer', async () => {
  const { clock, asked, read } = open()
  const [first, other] = [read('a'), read('b')]
  clock.ms += 10_000
  const second = read('a')
  expect(asked.map(({ key }) => key)).toEqual(['a', 'b'])
  asked[0]?.answer('one')
  asked[1]?.answer('two')
  expect(await Promise.all([first, second, other])).toEqual(['one', 'one', 'two'])
})

test('an answer, or an error, is kept for its time and no longer', async () => {
  const { clock, asked, read } = open()
  const first = read('a')
  asked[0]?.fail(new Error('no node'))
  await expect(first).rejects.toThrow('no node')
  clock.ms += 99
  await expect(read('a')).rejects.toThrow('no node')
  expect(asked).toHaveLength(1)
  clock.ms += 1
  const again = read('a')
  expect(asked).toHaveLength(2)
  asked[1]?.answer('now')
  expect(await again).toBe('now')
  clock.ms -= 1
  void read('a')
  expect(asked).toHaveLength(3)
})

test('a new question replaces the oldest', async () => {
  const { asked, read } = open(2)
  for (const key of ['a', 'b', 'c', 'b', 'a']) void read(key)
  expect(asked.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'a'])
})
