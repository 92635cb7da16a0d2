// What becomes of an authorization, with a chain that answers as each test says.
import { setMaxListeners } from 'node:events'
import { network, payer, token } from '@stablecoin-checkout/rig/authorization-rows'
import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newPayment, transferOf } from '@stablecoin-checkout/rig/new-payment'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AuthorizationLimits, Authorizer, ExternalSettlement } from '../../chain/authorization.ts'
import type { WalletPayments } from '../../chain/connector.ts'
import type { AuthorizationCode } from '../../core/error-codes.ts'
import { systemRuntime } from '../../core/runtime.ts'
import { type Db, sql } from '../../db/db.ts'
import {
  AuthorizationRefused,
  type CheckedAuthorization,
  type SignedAuthorization,
} from '../../payment/authorization.ts'
import type { Ledger } from '../../payment/ledger.ts'
import type { Payment, PaymentId } from '../../payment/payment.ts'
import { type Authorizations, createAuthorizations } from './authorize.ts'

let db: Db
let ledger: Ledger
let remove: () => Promise<void>
let authorizer: Authorizer
let limits: AuthorizationLimits
let authorizations: Authorizations
let count: number
beforeEach(async () => {
  count = 0
  ;({ db, ledger, remove } = await openMerchantDatabase())
  limits = { perPayer: 100, perAddress: 100, dailyBudgetMicros: 1_000_000 }
  authorizer = {
    limits,
    wake: vi.fn(),
    identify: vi.fn(async (payment: Payment, signed: SignedAuthorization) => contentOf(payment, signed)),
    check: vi.fn(async (payment: Payment, signed: SignedAuthorization) => contentOf(payment, signed)),
    simulate: vi.fn(async () => ({ costMicros: 1, costMaxMicros: 2, balance: 10n ** 12n })),
    receipt: vi.fn(async () => undefined),
  }
  const chains = new Map([[network, { authorizer } as WalletPayments]])
  const stopping = new AbortController().signal
  setMaxListeners(0, stopping)
  authorizations = createAuthorizations({ db, chains, runtime: systemRuntime, stopping })
})
afterEach(() => remove())

async function createPayment(): Promise<Payment> {
  count += 1
  const id = `payment ${count}` as PaymentId
  return await db.write((tx) => ledger.createIn(tx, newPayment({ id, depositAddress: id, sequence: 0, network })))
}

const sign = (nonce = '0x1', signature = '0xsigned') => ({ nonce, signature }) as SignedAuthorization

function contentOf(payment: Payment, { nonce, signature }: SignedAuthorization): CheckedAuthorization {
  const { id: paymentId, merchantId, due: value } = payment
  const call = { recipient: '0xto', target: '0xtarget', data: signature, digest: '0x', signature, isKeySignature: true }
  const key = { network, token, payer, nonce }
  return { paymentId, merchantId, ...key, kind: 'authorization', value, ...call, sendBeforeMs: Number.MAX_SAFE_INTEGER }
}

/** Asks once, and does not wait. */
const options = { client: 'client' as string | null, waitMs: 60_000, signal: AbortSignal.abort() }
type Options = Partial<Parameters<Authorizations['authorize']>[2]>
const authorize = (payment: Payment, signed = sign(), more: Options = {}) =>
  authorizations.authorize(payment, signed, { ...options, ...more })
const refused = (code: AuthorizationCode) => expect.objectContaining({ code }) as AuthorizationRefused

const pending = { state: 'pending', txId: null }
const rows = () =>
  db.read((tx) =>
    tx.all<{ id: string; state: string; presenter: string | null; client: string | null; payment: string }>(
      sql`select id, state, presenter, client, payment_id as payment from authorizations order by created_at_ms, id`,
    ),
  )
const states = async () => (await rows()).map(({ state }) => state)

/** The newest attempt, as a chain has made it. */
async function change(state: string, txId: string | null = null, isOurs = true) {
  await db.write(async (tx) => {
    if (isOurs && txId !== null)
      await tx.run(sql`
          insert into outgoing_transactions (id, network, sender, nonce, tx_id, raw, state, created_at_ms)
          values (${txId}, ${network}, 's', 0, ${txId}, 'x', 'stored', 0)`)
    await tx.run(sql`
        update authorizations
           set state = ${state}, transaction_id = ${isOurs ? txId : null}, external_tx_id = ${isOurs ? null : txId},
               code = ${state === 'failed' ? 'TRANSFER_REFUSED' : null}, reason = ${state === 'failed' ? 'r' : null}`)
  })
}

describe('an authorization', () => {
  test('is queued once and the sender is woken, however often it is repeated', async () => {
    const payment = await createPayment()
    expect(await authorize(payment)).toEqual(pending)
    expect(authorizer.wake).toHaveBeenCalledTimes(1)
    expect(await authorize(payment)).toEqual(pending)
    expect([await states(), vi.mocked(authorizer.wake).mock.calls.length]).toEqual([['queued'], 1])
    expect(vi.mocked(authorizer.simulate).mock.calls).toEqual([[contentOf(payment, sign()), 'client']])
    for (const presenter of [null, 'anybody'])
      expect(await authorizations.isKnown(payment, sign(), presenter)).toBe(true)
    expect(await authorizations.isKnown(payment, sign('0x2'))).toBe(false)
  })

  test('that is stored is verified again without being counted', async () => {
    const payment = await createPayment()
    await authorize(payment)
    limits.perPayer = 1
    await expect(authorizations.verify(payment, sign())).resolves.toMatchObject({ authorizer })
    // What the database refuses asks no node.
    vi.mocked(authorizer.simulate).mockClear()
    await expect(authorize(await createPayment(), sign('0x2'))).rejects.toEqual(refused('PAYER_LIMIT'))
    limits.perPayer = 100
    await expect(authorize(payment, sign('0x3'))).rejects.toEqual(refused('AUTHORIZATION_UNDER_WAY'))
    expect(authorizer.simulate).not.toHaveBeenCalled()
  })

  test('is refused without limits, and one that was accepted before is followed', async () => {
    const payment = await createPayment()
    await authorize(payment)
    authorizer.limits = null
    vi.mocked(authorizer.simulate).mockClear()
    await expect(authorize(await createPayment(), sign('0x2'))).rejects.toEqual(refused('SIGNATURE_NOT_OFFERED'))
    expect(authorizer.simulate).not.toHaveBeenCalled()
    expect(await authorize(payment)).toEqual(pending)
  })

  test('that has failed is counted when it is presented again', async () => {
    const payment = await createPayment()
    await authorize(payment)
    await change('failed')
    limits.perPayer = 1
    vi.mocked(authorizer.simulate).mockClear()
    await expect(authorize(payment)).rejects.toEqual(refused('PAYER_LIMIT'))
    expect(authorizer.simulate).not.toHaveBeenCalled()
  })

  test('pays one payment', async () => {
    await authorize(await createPayment())
    const other = await createPayment()
    expect(await authorizations.isKnown(other, sign())).toBe(false)
    await expect(authorize(other)).rejects.toEqual(refused('AUTHORIZATION_USED'))
    expect(await states()).toEqual(['queued'])
  })

  test('is the one that was signed: other data under the same payer and nonce is refused', async () => {
    const payment = await createPayment()
    await authorize(payment)
    await expect(authorize(payment, sign('0x1', '0xanother'))).rejects.toEqual(refused('INVALID_SIGNATURE'))
    await expect(authorizations.isKnown(payment, sign('0x1', '0xanother'))).rejects.toEqual(
      refused('INVALID_SIGNATURE'),
    )
  })

  test.each(['queued', 'failed'])('that is %s is its presenter’s alone, who was first', async (state) => {
    const payment = await createPayment()
    await authorize(payment, sign(), { presenter: 'first' })
    await change(state)
    for (const presenter of ['second', null])
      await expect(authorizations.isKnown(payment, sign(), presenter)).rejects.toEqual(refused('INVALID_SIGNATURE'))
    await expect(authorize(payment, sign(), { presenter: 'second' })).rejects.toEqual(refused('INVALID_SIGNATURE'))
    expect(await authorizations.isKnown(payment, sign(), 'first')).toBe(state === 'queued')
    expect(await rows()).toMatchObject([{ presenter: 'first' }])
  })

  test('that has failed is queued again as another attempt', async () => {
    const payment = await createPayment()
    await authorize(payment)
    await change('failed')
    expect(await authorize(payment)).toEqual(pending)
    expect((await states()).sort()).toEqual(['failed', 'queued'])
  })

  test('needs a network that takes signatures, and a transaction needs a fee payer', async () => {
    const there = await createPayment()
    const unknown = { ...there, network: 'unknown' }
    for (const payment of [unknown, { ...there, network: 'plain' }])
      await expect(authorize(payment)).rejects.toEqual(refused('SIGNATURE_NOT_OFFERED'))
    expect(() => authorizations.signedOfTransaction(there, 'tx')).toThrow(
      'USDC on devnet is not paid by a transaction that is signed beside ours.',
    )
    await expect(authorize(unknown)).rejects.toThrow('USDC on unknown cannot be paid by a signature here.')
    authorizer.sponsor = { signedOf: (_, nonce) => sign(nonce) } as Authorizer['sponsor'] & object
    expect(authorizations.signedOfTransaction(there, '0x7')).toEqual(sign('0x7'))
  })
})

describe('the limit of an address', () => {
  beforeEach(() => {
    limits.perAddress = 1
  })

  test('is a client’s own, who brings them itself', async () => {
    await authorize(await createPayment(), sign('0x1'))
    await expect(authorize(await createPayment(), sign('0x2'))).rejects.toEqual(refused('CLIENT_LIMIT'))
    expect(await authorize(await createPayment(), sign('0x3'), { client: 'another' })).toEqual(pending)
  })

  test('counts of a merchant’s server, and of the client that it names, what failed', async () => {
    const byServer = { client: null, asker: 'named' }
    await authorize(await createPayment(), sign('0x1'), byServer)
    expect(await authorize(await createPayment(), sign('0x2'), byServer)).toEqual(pending)
    expect((await rows()).map(({ client }) => client)).toEqual(['named', 'named'])
    await change('failed', '0xtx')
    await expect(authorize(await createPayment(), sign('0x3'), byServer)).rejects.toEqual(refused('CLIENT_LIMIT'))
    expect(await authorize(await createPayment(), sign('0x4'), { client: null })).toEqual(pending)
  })
})

describe('the answer', () => {
  test('to more requests than may wait for their transactions comes at once', async () => {
    const payment = await createPayment()
    await authorize(payment)
    await change('sent', '0xtx')
    const leaving = Array.from({ length: 10 }, () => new AbortController())
    const waiting = leaving.map(({ signal }) => authorize(payment, sign(), { signal }))
    await vi.waitFor(() => expect(vi.mocked(authorizer.receipt).mock.calls.length).toBeGreaterThanOrEqual(10))
    expect(await authorize(payment)).toEqual(pending)
    expect(await authorize(payment, sign(), { client: 'another' })).toEqual({ state: 'pending', txId: '0xtx' })
    for (const one of leaving) one.abort()
    await Promise.all(waiting)
    expect(await authorize(payment)).toEqual({ state: 'pending', txId: '0xtx' })
  })

  test('is the receipt of the transaction; a node that does not answer leaves it open', async () => {
    const payment = await createPayment()
    await authorize(payment)
    await change('sent', '0xtx')
    expect(await authorize(payment)).toEqual({ state: 'pending', txId: '0xtx' })
    vi.mocked(authorizer.receipt).mockRejectedValueOnce(new Error('no node'))
    expect(await authorize(payment)).toEqual({ state: 'pending', txId: '0xtx' })
    vi.mocked(authorizer.receipt).mockResolvedValueOnce('done')
    expect(await authorize(payment)).toEqual({ state: 'accepted', txId: '0xtx' })
    vi.mocked(authorizer.receipt).mockResolvedValueOnce('reverted')
    const reverted = await authorize(payment).catch((error) => error)
    expect(reverted).toMatchObject({ code: 'TRANSFER_REFUSED', fields: { transactionHash: '0xtx' } })
  })

  test('to a final one asks no node', async () => {
    const payment = await createPayment()
    await authorize(payment)
    await change('confirmed', '0xtx')
    vi.mocked(authorizer.receipt).mockRejectedValue(new Error('no node'))
    expect(await authorize(payment)).toEqual({ state: 'accepted', txId: '0xtx' })
    expect(authorizer.receipt).not.toHaveBeenCalled()
  })

  test('to one that fails while it is waited for is why', async () => {
    const payment = await createPayment()
    await authorize(payment)
    const waiting = authorize(payment, sign(), { signal: new AbortController().signal })
    await change('failed')
    expect(await waiting.catch((error) => error)).toMatchObject({ code: 'TRANSFER_REFUSED', message: 'r' })
  })
})

describe('a transaction of somebody else', () => {
  async function storeExternal(payment: Payment) {
    await authorize(payment)
    await change('external', '0xtheirs', false)
  }

  test('counts while it is on the chain, and while no node answers', async () => {
    const payment = await createPayment()
    await storeExternal(payment)
    vi.mocked(authorizer.receipt).mockResolvedValue('done')
    expect(await authorize(payment)).toEqual({ state: 'accepted', txId: '0xtheirs' })
    vi.mocked(authorizer.receipt).mockRejectedValue(new Error('no node'))
    expect(await authorizations.isKnown(payment, sign())).toBe(true)
    expect(await states()).toEqual(['external'])
  })

  test.each([undefined, 'reverted'] as const)(
    'is forgotten when its receipt is %s, and ours is queued',
    async (receipt) => {
      const payment = await createPayment()
      await storeExternal(payment)
      vi.mocked(authorizer.receipt).mockResolvedValue(receipt)
      expect(await authorizations.isKnown(payment, sign())).toBe(false)
      expect(await states()).toEqual([])
      expect(await authorize(payment)).toEqual(pending)
      expect(await states()).toEqual(['queued'])
    },
  )

  /** The refusal of a payment that the chain says this of. */
  async function refuse(code: AuthorizationCode, found: ExternalSettlement, from = payer) {
    const payment = await createPayment()
    const transfer = transferOf('1', { txId: payment.id, payer: from })
    await ledger.apply(payment.id, { type: 'transfer.seen', transfer, atMs: 0 })
    vi.mocked(authorizer.check).mockRejectedValue(new AuthorizationRefused(code, 'refused'))
    const findSettlement = vi.fn(async () => found)
    authorizer.findSettlement = findSettlement
    const answer = await authorize(payment, sign(), { presenter: 'me' }).catch((error) => error.code)
    return { payment, answer, findSettlement }
  }
  const settled: ExternalSettlement = { state: 'settled', txId: '0xtheirs' }

  test.each<AuthorizationCode>([
    'PAYMENT_NOT_OPEN',
    'WRONG_VALUE',
    'SIGNATURE_NOT_OFFERED',
    'AUTHORIZATION_USED',
    'TRANSFER_REFUSED',
    'EXPIRES_TOO_SOON',
  ])('is searched for after %s, and stored as the payment’s', async (code) => {
    const { payment, answer, findSettlement } = await refuse(code, settled)
    expect(answer).toEqual({ state: 'accepted', txId: '0xtheirs' })
    const known = { txIds: [payment.id], createdAtMs: payment.createdAtMs }
    expect(findSettlement.mock.calls).toEqual([[contentOf(payment, sign()), known, 'client']])
    expect(await rows()).toMatchObject([{ state: 'external', presenter: 'me', payment: payment.id }])
    const more = { ...options, presenter: 'me' }
    for (const refusal of [code, 'REQUIREMENTS_MISMATCH'] as const)
      expect(await authorizations.findExternalSettlement(payment, sign(), more, refusal)).toEqual(answer)
  })

  test.each<AuthorizationCode>(['INVALID_SIGNATURE', 'INSUFFICIENT_FUNDS', 'PAYER_LIMIT'])(
    'is not searched for after %s',
    async (code) => {
      const { answer, findSettlement } = await refuse(code, settled)
      expect([answer, findSettlement.mock.calls, await rows()]).toEqual([code, [], []])
    },
  )

  test.each<[AuthorizationCode, boolean]>([
    ['PAYMENT_NOT_OPEN', false],
    ['AUTHORIZATION_USED', true],
  ])('after %s with money of others alone is searched for: %s', async (code, isSearched) => {
    const { answer, findSettlement } = await refuse(code, settled, '0xother')
    expect(findSettlement).toHaveBeenCalledTimes(isSearched ? 1 : 0)
    expect(answer).toEqual(isSearched ? { state: 'accepted', txId: '0xtheirs' } : code)
  })

  test.each(['used', 'unused'] as const)('that is not there (%s) leaves the refusal', async (state) => {
    const { answer } = await refuse('AUTHORIZATION_USED', { state })
    expect([answer, await rows()]).toEqual(['AUTHORIZATION_USED', []])
  })

  test('that cannot be read yet leaves the answer open, but not that of another payment’s authorization', async () => {
    const unknown: ExternalSettlement = { state: 'unknown' }
    expect((await refuse('AUTHORIZATION_USED', unknown)).answer).toEqual(pending)
    vi.mocked(authorizer.check).mockImplementation(async (payment, signed) => contentOf(payment, signed))
    await authorize(await createPayment())
    expect((await refuse('AUTHORIZATION_USED', unknown)).answer).toBe('AUTHORIZATION_USED')
    await change('failed')
    expect((await refuse('AUTHORIZATION_USED', unknown)).answer).toEqual(pending)
  })

  test('is not searched for where nobody else can bring one', async () => {
    const payment = await createPayment()
    vi.mocked(authorizer.check).mockRejectedValue(new AuthorizationRefused('AUTHORIZATION_USED', 'refused'))
    await expect(authorize(payment)).rejects.toEqual(refused('AUTHORIZATION_USED'))
  })

  test('does not hide that the service has a fault', async () => {
    const payment = await createPayment()
    vi.mocked(authorizer.check).mockRejectedValue(new Error('a fault'))
    authorizer.findSettlement = async () => settled
    await expect(authorize(payment)).rejects.toThrow('a fault')
  })
})
