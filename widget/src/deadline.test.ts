import { expect } from '@open-wc/testing'
import { withDeadline } from './deadline.ts'
import { RecordedTimers } from './test/recorded-timers.ts'

/** A request to a service that never answers. */
const hanging = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const fail = () => reject(signal.reason)
    if (signal.aborted) fail()
    signal.addEventListener('abort', fail)
  })
const nameOf = (request: Promise<unknown>) => request.catch(({ name }: Error) => name)

suite('a request with a deadline', () => {
  test('is aborted after its timeout', async () => {
    expect(await nameOf(withDeadline(20, hanging))).to.equal('TimeoutError')
  })

  test('is aborted by the caller’s signal, also one that was aborted before', async () => {
    const asking = new AbortController()
    const name = nameOf(withDeadline(60_000, hanging, asking.signal))
    asking.abort()
    expect(await name).to.equal('AbortError')
    expect(await nameOf(withDeadline(60_000, hanging, asking.signal))).to.equal('AbortError')
  })

  test('leaves no timer once the caller has aborted it, although it has not ended', async () => {
    const timers = new RecordedTimers()
    try {
      const asking = new AbortController()
      const name = nameOf(withDeadline(60_000, hanging, asking.signal))
      expect(timers.waitsMs).to.deep.equal([60_000])
      asking.abort()
      expect(timers.waitsMs).to.deep.equal([])
      expect(await name).to.equal('AbortError')
    } finally {
      timers.restore()
    }
  })

  test('returns the response and releases timer and signal', async () => {
    const timers = new RecordedTimers()
    try {
      const asking = new AbortController()
      let inner: AbortSignal | undefined
      const answer = withDeadline(
        20,
        async (signal) => {
          inner = signal
          expect(timers.waitsMs).to.deep.equal([20])
          return 'answer'
        },
        asking.signal,
      )
      expect(await answer).to.equal('answer')
      expect(timers.waitsMs).to.deep.equal([])
      asking.abort()
      expect(inner?.aborted).to.equal(false)
    } finally {
      timers.restore()
    }
  })
})
