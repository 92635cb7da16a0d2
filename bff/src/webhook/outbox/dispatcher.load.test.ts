import { times } from '@stablecoin-checkout/rig/nightly'
import { openOutbox, startReceiver, until } from '@stablecoin-checkout/rig/outbox'
import { expect, test } from 'vitest'
import { silentLog } from '../../core/log.ts'
import { systemRuntime } from '../../core/runtime.ts'
import { createDispatcher } from './dispatcher.ts'

const receivers = times(40, 200)
const hanging = times(4, 20)
const paymentsEach = times(10, 25)
/** How long those that answer may take, beside others that have 15 s for each attempt. */
const withinMs = times(60_000, 120_000)

test('many events reach many receivers of which a tenth hangs, each payment’s in order', async () => {
  const outbox = await openOutbox()
  const shops = await Promise.all(
    Array.from({ length: receivers }, (_, index) => startReceiver(index < hanging ? () => {} : undefined)),
  )
  const events = shops.flatMap(({ url }) =>
    Array.from({ length: paymentsEach }, () => outbox.emit(url, 'payment.created', 'payment.completed')),
  )
  await Promise.all(events)
  const { db, vault } = outbox
  const limits = { finishMs: 0 }
  const dispatcher = createDispatcher({ db, vault, runtime: systemRuntime, log: silentLog, targets: 'any', limits })
  const stop = new AbortController()
  const running = dispatcher.run(stop.signal)
  const answering = (receivers - hanging) * paymentsEach * 2
  await until('those that answer have everything', () => dispatcher.counts.delivered === answering, withinMs)
  stop.abort()
  await running
  for (const { calls } of shops.slice(hanging)) {
    expect(calls).toHaveLength(paymentsEach * 2)
    const sequences = new Map<string, number[]>()
    for (const { event } of calls) {
      sequences.set(event.data.id, [...(sequences.get(event.data.id) ?? []), event.data.sequence])
    }
    for (const sequence of sequences.values()) expect(sequence).toEqual([1, 2])
  }
  // Each receiver has an endpoint limiter: one attempt at a time once the receiver is known not to answer.
  for (const { calls } of shops.slice(0, hanging)) expect(calls.length).toBeLessThanOrEqual(16)
  await dispatcher.close()
  await Promise.all(shops.map((shop) => shop.close()))
  await outbox.close()
})
