import { getEventListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { collectGarbage } from '@stablecoin-checkout/rig/collect-garbage'
import { expect, test } from 'vitest'
import { withTimeout } from './with-timeout.ts'

/** Ends when the signal says so, and holds nothing of it meanwhile, as a loop that only asks `aborted` does. */
async function untilAborted(signal: AbortSignal): Promise<string> {
  while (!signal.aborted) {
    await sleep(10)
    collectGarbage()
  }
  return (signal.reason as Error).name
}

test('work is aborted in time, however often the garbage collector runs', async () => {
  const { signal } = new AbortController()
  expect(await withTimeout(100, [signal], untilAborted)).toBe('TimeoutError')
})

test('work is aborted as soon as one of its signals is, before or after it began', async () => {
  const leaving = new AbortController()
  const work = withTimeout(60_000, [new AbortController().signal, leaving.signal], untilAborted)
  leaving.abort(new RangeError('left'))
  expect(await work).toBe('RangeError')
  expect(await withTimeout(60_000, [leaving.signal], untilAborted)).toBe('RangeError')
})

test('work that has ended leaves no timer and no listener behind, whether it succeeded or threw', async () => {
  const { signal } = new AbortController()
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  expect(await withTimeout(60_000, [signal], async () => 'done')).toBe('done')
  const fault = withTimeout(60_000, [signal], async () => {
    throw new Error('the work failed')
  })
  await expect(fault).rejects.toThrow('the work failed')
  expect([timers(), getEventListeners(signal, 'abort')]).toEqual([before, []])
})
