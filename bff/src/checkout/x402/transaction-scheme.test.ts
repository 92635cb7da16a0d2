import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { describe, expect, test } from 'vitest'
import type { Sponsor } from '../../chain/authorization.ts'
import { PaymentError } from '../../core/errors.ts'
import type { SolanaNetwork } from '../../core/families.ts'
import type { SignedAuthorization } from '../../payment/authorization.ts'
import type { DepositPayment, MerchantId, PaymentId } from '../../payment/payment.ts'
import { createTransactionScheme } from './transaction-scheme.ts'
import { createX402Payments } from './x402-payments.ts'
import type { Proof, Requirements } from './x402-wire.ts'

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

describe('of a proof that is not known yet', () => {
  const one = paymentOf('corner', 'one')
  const payment: DepositPayment = { ...one, network: 'solana', currency: 'USDC', tokenAddress: 'now' }

  /** Whose service knows no proof, and would accept every one. */
  function openPayments() {
    const { scheme, stopping } = open(new Set())
    const accepted: string[] = []
    const waiting: (string | null)[] = []
    const wait: { fault?: Error } = {}
    const parsed = {
      payer: 'payer',
      value: payment.due,
      isKnown: async () => false,
      verify: async () => void accepted.push('verified'),
      settle: async () => {
        accepted.push('settled')
        return { isIn: true, txId: null }
      },
      findExternalSettlement: async () => undefined,
    }
    const waitForPayment = async ({ client }: { client: string | null }) => {
      waiting.push(client)
      if (wait.fault) throw wait.fault
      return payment
    }
    const deps = { networks: new Map(), schemes: new Map(), waitForPayment }
    const x402 = createX402Payments(deps as unknown as Parameters<typeof createX402Payments>[0])
    const requirements = { amount: String(payment.due), extra: {} } as Requirements
    const offer = { payment, scheme: { ...scheme, parse: () => parsed }, requirements, isFormer: false }
    return { x402, stopping, accepted, waiting, wait, offer, proof: { accepted: requirements } as Proof }
  }

  test('a server’s is verified only once its token account is there: before, its transaction would fail', async () => {
    const { x402, stopping, accepted, offer, proof } = openPayments()
    stopping.abort()
    await expect(x402.verify(offer, proof)).rejects.toMatchObject(refusal)
    expect(accepted).toEqual([])
  })

  test('one for a former token is neither verified nor settled', async () => {
    const { x402, accepted, offer, proof } = openPayments()
    const former = { ...offer, isFormer: true }
    const notOffered = { code: 'SIGNATURE_NOT_OFFERED' }
    await expect(x402.verify(former, proof)).rejects.toMatchObject(notOffered)
    const options = { client: null, asker: null, presenter: null, waitMs: 0, signal: new AbortController().signal }
    await expect(x402.settle(former, proof, options)).rejects.toMatchObject(notOffered)
    expect(accepted).toEqual([])
  })

  test('the wait for its money counts for the client that a server names, not for the server', async () => {
    const { x402, waiting, offer, proof } = openPayments()
    const options = { client: null, asker: 'one', presenter: null, waitMs: 0, signal: new AbortController().signal }
    expect(await x402.settle(offer, proof, options)).toMatchObject({ state: 'pending' })
    expect(waiting).toEqual(['one'])
  })

  test('is on its way where too many wait for payments: it was sent, and a repeat says what became of it', async () => {
    const { x402, accepted, offer, proof, wait } = openPayments()
    const options = { client: null, asker: null, presenter: null, waitMs: 0, signal: new AbortController().signal }
    wait.fault = new PaymentError('TOO_MANY_WAITS', 'Too many')
    expect(await x402.settle(offer, proof, options)).toEqual({ state: 'pending', txId: null, payer: 'payer' })
    expect(accepted).toEqual(['settled'])
    for (wait.fault of [new PaymentError('PAYMENT_NOT_FOUND', 'gone'), new Error('disk full')])
      await expect(x402.settle(offer, proof, options)).rejects.toBe(wait.fault)
  })
})

test('names what is wrong with a payload, and reads a transaction as the network’s sponsor does', () => {
  const stopping = new AbortController().signal
  const signed = { from: 'payer', value: '25000000' } as SignedAuthorization
  const read: unknown[] = []
  const signedOf = (...given: unknown[]) => {
    read.push(given)
    return signed
  }
  const sponsor = { feePayer: 'payer', signedOf } as unknown as Sponsor
  const deps = { stopping } as Parameters<typeof createTransactionScheme>[0]
  const scheme = createTransactionScheme(deps, {} as SolanaNetwork, sponsor)
  const payment = paymentOf('corner', 'one')
  const parse = (payload: unknown) => scheme.parse(payment, { payload } as Proof)
  const refused = { code: 'INVALID_PAYMENT_SIGNATURE' }
  expect(() => parse({ transaction: 'no base64!' })).toThrow(
    expect.objectContaining({ ...refused, message: 'payload: transaction must be base64' }),
  )
  for (const payload of [undefined, {}, { transaction: '' }, { transaction: 'A'.repeat(1_704) }])
    expect(() => parse(payload)).toThrow(expect.objectContaining(refused))
  expect(parse({ transaction: 'AAAA' })).toMatchObject({ payer: 'payer', value: 25_000_000n })
  expect(read).toEqual([[payment, 'AAAA']])
})
