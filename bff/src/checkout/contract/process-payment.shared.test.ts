import { newContractPayment } from '@stablecoin-checkout/rig/new-payment'
import { expect, test, vi } from 'vitest'
import type { WalletPayments } from '../../chain/connector.ts'
import { TransactionRefused } from '../../chain/refusal.ts'
import { silentLog } from '../../core/log.ts'
import { systemRuntime } from '../../core/runtime.ts'
import type { MerchantId, PaymentId } from '../../payment/payment.ts'
import { createProcessor } from './process-payment.ts'

test('concurrent requests for one payment and transaction share a verification, those of two payments do not', async () => {
  const [one, other] = ['one', 'other'].map((id) => newContractPayment({ id: id as PaymentId })) as [
    ReturnType<typeof newContractPayment>,
    ReturnType<typeof newContractPayment>,
  ]
  const ends: (() => void)[] = []
  const verifySubmission = vi.fn<WalletPayments['verifySubmission']>(
    ({ id }) =>
      new Promise((resolve) => {
        ends.push(() => resolve(id === one.id ? one : other))
      }),
  )
  const { signal } = new AbortController()
  const processor = createProcessor({
    networks: new Map(),
    chains: new Map([[one.network, { verifySubmission }]]),
    log: silentLog,
    runtime: systemRuntime,
    waitMs: 600_000,
    waitsMax: 10,
    stopping: signal,
  })
  const answers = [one, one, other].map((payment) => processor.process(payment, '0xtx', signal, null))
  await vi.waitFor(() => expect(ends.length).toBeGreaterThanOrEqual(1))
  for (const end of ends) end()
  expect(await Promise.all(answers)).toEqual([one, one, other])
  expect(verifySubmission.mock.calls.map(([{ id, txId }]) => [id, txId])).toEqual([
    ['one', '0xtx'],
    ['other', '0xtx'],
  ])
})

test('an address that waits for transactions that never come takes neither the waits of other customers nor those of other merchants', async () => {
  const paid = newContractPayment({ id: 'paid' as PaymentId })
  const ofOther = newContractPayment({ id: 'paid elsewhere' as PaymentId, merchantId: 'other' as MerchantId })
  const open = newContractPayment({ id: 'never paid' as PaymentId })
  const verifySubmission = async ({ id }: { id: string }) => {
    if (id === open.id) await new Promise(() => {})
    return id === paid.id ? paid : ofOther
  }
  const { signal } = new AbortController()
  const gone = new AbortController()
  const processor = createProcessor({
    networks: new Map(),
    chains: new Map([[open.network, { verifySubmission }]]),
    log: silentLog,
    runtime: systemRuntime,
    waitMs: 600_000,
    waitsMax: 10,
    stopping: signal,
  })
  const wait = (nth: number, client: string) => processor.process(open, `0x${nth}`, gone.signal, client)
  const waits = Array.from({ length: 20 }, (_, nth) => wait(nth, 'stranger'))
  expect(processor.waiting).toBe(2)
  expect(await processor.process(paid, '0xpaid', signal, 'customer')).toBe(paid)
  // The same from many addresses.
  waits.push(...Array.from({ length: 20 }, (_, nth) => wait(nth, `stranger ${nth}`)))
  expect(processor.waiting).toBe(5)
  expect(await processor.process(ofOther, '0xpaid', signal, 'customer')).toBe(ofOther)
  gone.abort()
  await Promise.all(waits)
  expect(processor.waiting).toBe(0)
})

test('strangers who name any number of transactions cause a bounded number of node calls a minute, and leave other merchants theirs', async () => {
  const open = newContractPayment({ id: 'never paid' as PaymentId })
  const ofOther = newContractPayment({ id: 'paid elsewhere' as PaymentId, merchantId: 'other' as MerchantId })
  let [nowMs, verified] = [0, 0]
  const verifySubmission = async ({ id }: { id: string }) => {
    if (id !== open.id) return ofOther
    verified += 1
    throw new TransactionRefused('ALREADY_USED', 'the transaction pays another payment')
  }
  const { signal } = new AbortController()
  const processor = createProcessor({
    networks: new Map(),
    chains: new Map([[open.network, { verifySubmission }]]),
    log: silentLog,
    runtime: { nowMs: () => nowMs },
    waitMs: 600_000,
    waitsMax: 10,
    stopping: signal,
  })
  const name = (client: string, times: number) =>
    Array.from({ length: times }).reduce<Promise<unknown>>(
      (last, _, nth) => last.then(() => processor.process(open, `0x${client} ${nth}`, signal, client)),
      Promise.resolve(),
    )
  await name('stranger', 200)
  expect(verified, 'of one address').toBe(120)
  for (let client = 0; client < 40; client++) await name(`stranger ${client}`, 120)
  expect(verified, 'of one merchant').toBeLessThanOrEqual(1_200)
  expect(await processor.process(ofOther, '0xpaid', signal, 'customer')).toBe(ofOther)
  nowMs = 60_000
  await name('stranger', 1)
  expect(verified).toBeLessThanOrEqual(1_201)
  expect(await processor.process(open, '0xlast', signal, 'stranger')).toMatchObject({ code: 'ALREADY_USED' })
})
