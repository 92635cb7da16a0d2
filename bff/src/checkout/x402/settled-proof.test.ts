import { devnetFacts } from '@stablecoin-checkout/rig/devnet-facts'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { afterEach, expect, test, vi } from 'vitest'
import { PaymentError } from '../../core/errors.ts'
import type { DepositPayment, Payment } from '../../payment/payment.ts'
import type { ParsedProof, Sent, SettleOptions } from './exact-scheme.ts'
import { createX402Payments } from './x402-payments.ts'
import type { Proof } from './x402-wire.ts'

type Deps = Parameters<typeof createX402Payments>[0]

const payment = newPayment({ network: 'devnet' })
const options: SettleOptions = {
  client: null,
  asker: 'asker',
  presenter: null,
  waitMs: 60_000,
  signal: new AbortController().signal,
}

afterEach(() => void vi.restoreAllMocks())

type Given = { sent?: Sent; found?: Payment; of?: DepositPayment; changed?: Partial<ParsedProof> }

/** x402 with a proof that was accepted before, and the payment as it is found when the wait for it ends. */
function open({ sent = { isIn: true, txId: '0x1' }, found = payment, of = payment, changed = {} }: Given = {}) {
  const waits: Parameters<Deps['waitForPayment']>[0][] = []
  const parsed = {
    payer: '0xpayer',
    value: BigInt(payment.due),
    isKnown: async () => true,
    settle: async () => sent,
    ...changed,
  } as unknown as ParsedProof
  const scheme = { extraOf: () => ({}), parse: () => parsed }
  const x402 = createX402Payments({
    networks: new Map([['devnet', devnetFacts]]),
    schemes: new Map([['devnet', scheme]]),
    waitForPayment: async (asked: (typeof waits)[number]) => {
      waits.push(asked)
      return found
    },
    agents: { checkPays: async () => {} },
  } as unknown as Deps)
  const offer = x402.offerOf(of)
  const proofOf = (amount: string) =>
    ({ x402Version: 2, accepted: { ...offer.requirements, amount }, payload: {} }) as unknown as Proof
  const settle = (amount = String(payment.due)) => x402.settle(offer, proofOf(amount), options)
  return { x402, offer, proofOf, settle, waits }
}

const expired: DepositPayment = { ...payment, status: 'expired', windowEnded: true, acceptedUntilMs: 1 }

test('a proof whose transfer came late is pending while late money can still pay the payment, and refused afterwards', async () => {
  const sent = { txId: '0x1', payer: '0xpayer' }
  expect(await open({ found: expired }).settle()).toEqual({ state: 'pending', ...sent })
  await expect(open({ found: { ...expired, lateEnded: true } }).settle()).rejects.toMatchObject({
    code: 'PAYMENT_NOT_OPEN',
    fields: { transactionHash: '0x1' },
  })
})

test('only a proof that a block contains is waited for', async () => {
  const { settle, waits } = open({ sent: { isIn: false, txId: null } })
  expect(await settle()).toMatchObject({ state: 'pending', txId: null })
  expect(waits).toEqual([])
})

test('a known proof is neither good nor settled for another amount than it signs', async () => {
  const { x402, offer, proofOf, settle } = open()
  expect(await x402.verify(offer, proofOf(String(payment.due)))).toBe('0xpayer')
  await expect(x402.verify(offer, proofOf('1'))).rejects.toMatchObject({ code: 'REQUIREMENTS_MISMATCH' })
  await expect(settle('1')).rejects.toMatchObject({ code: 'REQUIREMENTS_MISMATCH' })
})

test('the time that the sending took is not waited once more', async () => {
  let clockMs = 0
  vi.spyOn(performance, 'now').mockImplementation(() => clockMs)
  const slow = async () => {
    clockMs += 20_000
    return { isIn: true, txId: '0x1' }
  }
  const { settle, waits } = open({ changed: { settle: slow } })
  await settle()
  expect(waits).toMatchObject([{ timeoutMs: 40_000, client: 'asker' }])
})

test('what somebody else settled by a proof counts only for the amount that the proof signs', async () => {
  const changed = {
    isKnown: async () => false,
    findExternalSettlement: async () => ({ isIn: true, txId: '0x1' }),
  }
  const { settle } = open({ of: expired, changed, found: { ...payment, status: 'completed' } })
  expect(await settle()).toMatchObject({ state: 'paid' })
  await expect(settle('1')).rejects.toMatchObject({ code: 'REQUIREMENTS_MISMATCH' })
})

test('the node calls that verify a proof for an agent’s payment are counted as its client’s', async () => {
  const asked: unknown[] = []
  const verify = async (asking: unknown) => {
    asked.push(asking)
    throw new PaymentError('INSUFFICIENT_FUNDS', 'Nobody has the money.')
  }
  const changed = { isKnown: async () => false, verify, findExternalSettlement: async () => undefined }
  const { settle } = open({ of: { ...payment, agentId: 'shopper' }, changed })
  await expect(settle()).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' })
  expect(asked).toEqual([options])
})
