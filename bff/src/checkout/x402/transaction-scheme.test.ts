import { expect, test } from 'vitest'
import { newPayment } from '../../../test/new-payment.ts'
import type { Sponsor } from '../../chain/authorization.ts'
import type { SolanaNetwork } from '../../core/families.ts'
import type { DepositPayment, MerchantId, PaymentId } from '../../payment/payment.ts'
import { createTransactionScheme } from './transaction-scheme.ts'

const refusal = { status: 503, code: 'NOT_READY' }
const paymentOf = (merchantId: string, id: string): DepositPayment => ({
  ...(newPayment() as DepositPayment),
  ...{ merchantId: merchantId as MerchantId, id: id as PaymentId },
})

/** The token accounts of `ready` are there, and no other. */
function open(ready: Set<string>) {
  const stopping = new AbortController()
  const asked = { calls: 0 }
  const isReady = async ({ id }: DepositPayment) => {
    asked.calls += 1
    return ready.has(id)
  }
  const deps = { stopping: stopping.signal } as Parameters<typeof createTransactionScheme>[0]
  const scheme = createTransactionScheme(
    deps,
    {} as SolanaNetwork,
    { feePayer: 'payer', isReady } as unknown as Sponsor,
  )
  return { scheme, stopping, asked }
}

test('fifty clients that wait for one payment, or one merchant’s, leave others their wait', async () => {
  const ready = new Set(['of-another'])
  const { scheme, stopping, asked } = open(ready)
  const flood = Array.from({ length: 50 }, () => scheme.prepare(paymentOf('corner', 'one')))
  expect(asked.calls, 'they share one question').toBe(1)
  const rest = Array.from({ length: 49 }, (_, index) => scheme.prepare(paymentOf('corner', `more-${index}`)))
  await expect(scheme.prepare(paymentOf('corner', 'too-many'))).rejects.toMatchObject(refusal)
  await expect(scheme.prepare(paymentOf('other', 'of-another'))).resolves.toBeUndefined()
  stopping.abort()
  const ends = await Promise.allSettled([...flood, ...rest])
  expect(ends.every(({ status }) => status === 'rejected')).toBe(true)
})

test('says on Solana which account the client signs beside', () => {
  expect(open(new Set()).scheme.supportedExtra).toEqual({ feePayer: 'payer' })
})
