import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { expect, test } from 'vitest'
import type { Sponsor } from '../../chain/authorization.ts'
import type { SolanaNetwork } from '../../core/families.ts'
import type { DepositPayment, MerchantId, PaymentId } from '../../payment/payment.ts'
import { createTransactionScheme } from './transaction-scheme.ts'
import type { Proof } from './x402-wire.ts'

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

test('clients that wait for one payment share its wait, and neither one client, nor one merchant, nor three take all waits', async () => {
  const ready = new Set(['of-shopper', 'of-server', 'of-another'])
  const { scheme, stopping, asked } = open(ready)
  const flood = Array.from({ length: 50 }, () => scheme.prepare(paymentOf('corner', 'one'), 'flood'))
  expect(asked.calls, 'they share one question').toBe(1)
  const wait = (merchant: string, client: string | null) =>
    Array.from({ length: 50 }, (_, index) => scheme.prepare(paymentOf(merchant, `${merchant} ${index}`), client))
  const rest = wait('corner', 'flood')
  expect(asked.calls, 'of one client').toBe(5)
  await expect(scheme.prepare(paymentOf('corner', 'of-shopper'), 'shopper')).resolves.toBeUndefined()
  for (const merchant of ['corner', 'second', 'third']) rest.push(...wait(merchant, null))
  await expect(scheme.prepare(paymentOf('corner', 'too-many'), null)).rejects.toMatchObject(refusal)
  await expect(scheme.prepare(paymentOf('other', 'of-another'), 'visitor')).resolves.toBeUndefined()
  stopping.abort()
  const ends = await Promise.allSettled([...flood, ...rest])
  expect(ends.every(({ status }) => status === 'rejected')).toBe(true)
})

test('says on Solana which account the client signs beside', () => {
  expect(open(new Set()).scheme.supportedExtra).toEqual({ feePayer: 'payer' })
})

test('offers the token that the network has now, and a former one only to finish its payment', () => {
  const network = { tokens: [{ symbol: 'USDC', address: 'now' }] } as unknown as SolanaNetwork
  const deps = { stopping: new AbortController().signal } as Parameters<typeof createTransactionScheme>[0]
  const scheme = createTransactionScheme(deps, network, { feePayer: 'payer' } as unknown as Sponsor)
  const payment = (changes: Partial<DepositPayment>) => ({ ...paymentOf('corner', 'one'), ...changes })
  const extra = { feePayer: 'payer', memo: 'one' }
  expect(scheme.extraOf(payment({ tokenAddress: 'now' }))).toEqual(extra)
  for (const changes of [{ tokenAddress: 'former' }, { tokenAddress: 'now', currency: 'USDT' }])
    expect(scheme.extraOf(payment(changes))).toBeUndefined()
  expect(scheme.formerExtraOf(payment({ tokenAddress: 'former' }), {} as Proof)).toEqual(extra)
})
