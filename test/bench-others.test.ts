import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { refusalAt, shareOfOthers } from './bench/others.ts'

test('a machine whose processors are all wanted by another program is not written about', async () => {
  const busy = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'console.log("spinning"); for (;;);'], { stdio: ['ignore', 'pipe', 'ignore'] }),
  )
  try {
    await Promise.all(busy.map((child) => once(child.stdout, 'data')))
    const others = await shareOfOthers()
    // Each processor is divided between the two, and whatever else runs leaves them less.
    expect(others).toBeGreaterThan(0.3)
    expect(refusalAt(others)).toMatch(
      /^Not written: other programs take \d\d % of the processors, and figures compare only up to 10 %/,
    )
  } finally {
    for (const child of busy) child.kill('SIGKILL')
  }
})

test('a tenth of the processors may be taken by others', () => {
  expect(refusalAt(0)).toBeNull()
  expect(refusalAt(0.1)).toBeNull()
  expect(refusalAt(0.104)).toMatch(/take 11 % /)
})
