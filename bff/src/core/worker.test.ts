import { describe, expect, it } from 'vitest'
import { createWakeSignal } from './wake-signal.ts'
import { type PassFailure, runWorker } from './worker.ts'

/** Runs a worker whose passes are `steps`, in order: more at once, nothing more, or an error. Stops after the last. */
async function run(
  steps: (boolean | Error)[],
  options: { pauseMs: number; backOffMaxMs?: number; retryAfterMs?: number },
) {
  const stopping = new AbortController()
  const failures: PassFailure[] = []
  const startedMs: number[] = []
  let successes = 0
  await runWorker(
    {
      pauseMs: options.pauseMs,
      ...(options.backOffMaxMs !== undefined && { backOffMaxMs: options.backOffMaxMs }),
      retryAfterMs: () => options.retryAfterMs ?? 0,
      async pass() {
        startedMs.push(performance.now())
        const step = steps[startedMs.length - 1]
        if (startedMs.length > steps.length) stopping.abort()
        if (step instanceof Error) throw step
        return step ?? false
      },
      onSuccess: () => {
        successes += 1
      },
      onFailure: (failure) => failures.push(failure),
    },
    stopping.signal,
  )
  return { failures, successes, startedMs }
}

describe('runWorker', () => {
  it('passes again at once while there is more to do', async () => {
    const { startedMs } = await run([true, true, true], { pauseMs: 10_000 })
    expect(startedMs).toHaveLength(4)
  })

  it('pauses when there is nothing more to do', async () => {
    const { startedMs } = await run([false], { pauseMs: 50 })
    const [first = 0, second = 0] = startedMs
    expect(second - first).toBeGreaterThanOrEqual(49)
  })

  it('doubles the pause with each failure in a row, up to the maximum, and starts again after a success', async () => {
    const down = new Error('down')
    const { failures, successes } = await run([down, down, down, down, false, down], { pauseMs: 2, backOffMaxMs: 10 })
    expect(failures.map(({ failures: count, pauseMs }) => [count, pauseMs])).toEqual([
      [1, 4],
      [2, 8],
      [3, 10],
      [4, 10],
      [1, 4],
    ])
    expect(failures[0]?.error).toBe(down)
    expect(successes).toBe(2)
  })

  it('never pauses for less than its usual pause after a failure', async () => {
    const { failures } = await run([new Error('down')], { pauseMs: 20, backOffMaxMs: 5 })
    expect(failures[0]?.pauseMs).toBe(20)
  })

  it('waits as long as the error asks for, within the maximum', async () => {
    const asked = await run([new Error('busy')], { pauseMs: 1, backOffMaxMs: 40, retryAfterMs: 30 })
    const greedy = await run([new Error('busy')], { pauseMs: 1, backOffMaxMs: 40, retryAfterMs: 3_600_000 })
    expect([asked.failures[0]?.pauseMs, greedy.failures[0]?.pauseMs]).toEqual([30, 40])
  })

  it('ends its pause when it is stopped', async () => {
    const stopping = new AbortController()
    let passes = 0
    const pass = async () => {
      passes += 1
      // The pause has begun by then.
      setImmediate(() => stopping.abort())
      return false
    }
    await runWorker({ pauseMs: 3_600_000, pass, onFailure: () => {} }, stopping.signal)
    expect(passes).toBe(1)
  })

  it('finishes the current pass when it is stopped, and does not report the failure that stopping causes', async () => {
    const stopping = new AbortController()
    const failures: PassFailure[] = []
    let hasFinished = false
    await runWorker(
      {
        pauseMs: 1,
        async pass(signal) {
          stopping.abort()
          await Promise.resolve()
          hasFinished = true
          signal.throwIfAborted()
          return false
        },
        onFailure: (failure) => failures.push(failure),
      },
      stopping.signal,
    )
    expect(hasFinished).toBe(true)
    expect(failures).toEqual([])
  })

  it('does nothing when it was stopped before it began', async () => {
    let passes = 0
    const pass = async () => {
      passes += 1
      return false
    }
    await runWorker({ pauseMs: 1, pass, onFailure: () => {} }, AbortSignal.abort())
    expect(passes).toBe(0)
  })
})

it('a worker that is woken passes at once, and one that is stopped does not wait for its pause', async () => {
  const wakeSignal = createWakeSignal()
  const stopping = new AbortController()
  let passes = 0
  const running = runWorker(
    {
      pauseMs: 3_600_000,
      wakeSignal,
      pass: async () => {
        passes += 1
        return false
      },
      onFailure: () => undefined,
    },
    stopping.signal,
  )
  await expect.poll(() => passes).toBe(1)
  wakeSignal.wake()
  await expect.poll(() => passes).toBe(2)
  stopping.abort()
  await running
  expect(passes).toBe(2)
})
