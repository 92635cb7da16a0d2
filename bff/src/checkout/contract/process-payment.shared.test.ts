import { newContractPayment } from '@stablecoin-checkout/rig/new-payment'
import { expect, test, vi } from 'vitest'
import type { WalletPayments } from '../../chain/connector.ts'
import { silentLog } from '../../core/log.ts'
import type { PaymentId } from '../../payment/payment.ts'
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
    waitMs: 600_000,
    waitsMax: 10,
    stopping: signal,
  })
  const answers = [one, one, other].map((payment) => processor.process(payment, '0xtx', signal))
  await vi.waitFor(() => expect(ends.length).toBeGreaterThanOrEqual(1))
  for (const end of ends) end()
  expect(await Promise.all(answers)).toEqual([one, one, other])
  expect(verifySubmission.mock.calls.map(([{ id, txId }]) => [id, txId])).toEqual([
    ['one', '0xtx'],
    ['other', '0xtx'],
  ])
})
