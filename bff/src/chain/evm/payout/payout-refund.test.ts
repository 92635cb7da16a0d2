import { gwei } from '@stablecoin-checkout/rig/model-payout-chain'
import { due, type ModelStage, openModelStage, payer } from '@stablecoin-checkout/rig/model-payouts'
import type { Hex } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type BaseUnits, baseUnits } from '../../../core/money.ts'
import { sql } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { coinAddress } from '../../../payment/unmatched.ts'
import { parseRawTransaction } from '../send/evm-transaction.ts'
import { createSweeper } from './sweeper.ts'

const never = new AbortController().signal
const otherToken = '0x5fc8d32690cc91d4c39d9d3abcbd16989f875707'
const otherMerchant = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const otherFactory = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc'
const empty = 'Deposits wait: the operator’s gas balance is too low. Send coins to its address.'
/** Per gas: twice the base fee of a gwei, and a tip of one. */
const feeMax = 3n * gwei

let stage: ModelStage
beforeEach(async () => {
  stage = await openModelStage()
})
afterEach(() => stage.close())

const pass = (sweeper = stage.sweeper()) => sweeper.pass(never)
const sent = async () => (await stage.outgoing()).map(({ raw }) => parseRawTransaction(raw))

/** Partially paid and expired; the payer wants a refund. `isOver`: also by the chain's clock. */
async function openRefund({
  paid = 10_000_000n,
  isOver = true,
  ...terms
}: {
  paid?: bigint
  isOver?: boolean
  operator?: Hex
  chainId?: number
  stored?: { merchant: Hex }
} = {}) {
  const deadlineSeconds = Math.floor(stage.clock.nowMs / 1000) + 900
  const id = await stage.pay({ paid, deadlineSeconds, ...terms })
  const { windowEndsAtMs } = await stage.load(id)
  stage.clock.nowMs = windowEndsAtMs + 60_000
  stage.chain.timeSeconds = isOver ? Math.floor(stage.clock.nowMs / 1000) : deadlineSeconds
  await stage.apply(id, { type: 'window.ended', blockTimeMs: stage.clock.nowMs })
  await stage.apply(id, { type: 'refund.requested', address: payer })
  return id
}
const queueOf = (id: PaymentId) =>
  stage.db.read((tx) =>
    tx.get<{ state: string; failures: number; due_at_ms: number }>(
      sql`select state, failures, due_at_ms from payouts where payment_id = ${id} and kind <> 'sweep'`,
    ),
  )
const warned = () =>
  stage.lines.filter(({ level }) => level === 'warn').map(({ fields, message }) => ({ ...fields, message }))

describe('a refund transaction', () => {
  test('is the operator’s call of the forwarder, with the measured gas plus a fifth and a new balance', async () => {
    const id = await openRefund()
    expect(await pass()).toBe(1)
    const [transaction] = await sent()
    expect(transaction).toMatchObject({ gas: 140_000n, to: stage.network.factory.toLowerCase(), maxFeePerGas: feeMax })
    expect(await queueOf(id)).toMatchObject({ state: 'sent' })
    expect(stage.lines.find(({ level }) => level === 'info')).toEqual({
      ...{ level: 'info', message: 'Sending a refund' },
      fields: {
        ...{ network: 'devnet', paymentId: id, txId: (await stage.outgoing())[0]?.tx_id, nonce: 0 },
        ...{ address: payer, amount: '10000000' },
      },
    })
  })

  test('sends no more than the chain has for it', async () => {
    const id = await openRefund()
    stage.chain.arrive((await stage.load(id)).depositAddress, -4_000_000n)
    expect(await pass()).toBe(1)
    expect(await stage.load(id)).toMatchObject({ refunding: 6_000_000n })
  })

  test('is not made if the chain has nothing: that is a failure', async () => {
    const id = await openRefund()
    stage.chain.arrive((await stage.load(id)).depositAddress, -10_000_000n)
    expect(await pass()).toBe(1)
    expect(await queueOf(id)).toMatchObject({ state: 'queued', failures: 1, due_at_ms: stage.clock.nowMs + 30_000 })
    expect(warned()).toEqual([
      {
        ...{ network: 'devnet', paymentId: id, failures: 1, reason: 'NotRefundable(10000000, 0)' },
        message: 'Sending a refund failed; retrying',
      },
    ])
  })

  test('waits for the deadline by the chain’s clock, without a failure: ten seconds at most, or until the deadline if sooner', async () => {
    const id = await openRefund({ isOver: false })
    expect(await pass()).toBe(0)
    expect(await queueOf(id)).toMatchObject({ failures: 0, due_at_ms: stage.clock.nowMs + 1_000 })
    stage.chain.timeSeconds -= 100
    stage.clock.nowMs += 1_000
    expect(await pass()).toBe(0)
    expect(await queueOf(id)).toMatchObject({ failures: 0, due_at_ms: stage.clock.nowMs + 10_000 })
    stage.chain.timeSeconds += 101
    stage.clock.nowMs += 10_000
    expect(await pass()).toBe(1)
  })

  test('is a failure once the deadline is over, and at once for any other reason', async () => {
    const notYet = async () => ({ error: 'NotRefundable', reason: 'NotRefundable(10000000, 0)', refundable: 0n })
    const id = await openRefund()
    stage.chain.timeSeconds = (await stage.termsOf(id)).deadlineSeconds + 1
    await pass(stage.sweeper({ checkRefund: notYet }))
    expect(await queueOf(id)).toMatchObject({ failures: 1 })
    const other = await openRefund({ isOver: false })
    await pass(
      stage.sweeper({ checkRefund: async () => ({ error: 'Blacklisted', reason: 'Blacklisted()', refundable: 0n }) }),
    )
    expect(await queueOf(other)).toMatchObject({ failures: 1 })
  })

  test('is attempted once if the chain has the full amount and refuses', async () => {
    await openRefund()
    let checks = 0
    const refusing = async () => {
      checks += 1
      return { error: 'Blacklisted', reason: 'Blacklisted()', refundable: 10_000_000n }
    }
    await pass(stage.sweeper({ checkRefund: refusing }))
    expect(checks).toBe(1)
  })

  test('is refused if its terms are of another chain, where the money is', async () => {
    const id = await openRefund({ chainId: 1 })
    expect(await pass()).toBe(1)
    expect(await queueOf(id)).toMatchObject({ state: 'queued', failures: 1 })
    expect(warned()[0]).toMatchObject({ reason: 'The terms are of chain 1, the network is 31337' })
  })

  test('is refused if its row does not match the address', async () => {
    const id = await openRefund({ stored: { merchant: otherMerchant } })
    expect(await pass()).toBe(1)
    expect(await queueOf(id)).toMatchObject({ failures: 1 })
    expect(warned()[0]).toMatchObject({ reason: expect.stringMatching(/^The terms are of 0x/) })
  })

  test('is refused if only another operator may send it', async () => {
    const id = await openRefund({ operator: stage.former.address })
    expect(await pass()).toBe(1)
    expect(await queueOf(id)).toMatchObject({ failures: 1 })
    expect(warned()[0]).toMatchObject({
      reason: `only the operator ${stage.former.address} may send it: add its key to FORMER_OPERATOR_KEYS`,
    })
  })

  test('waits while the account cannot pay for it, exact to the wei', async () => {
    const id = await openRefund()
    stage.chain.balanceWei = 140_000n * feeMax - 1n
    expect(await pass()).toBe(0)
    expect(stage.said('warn')).toEqual([empty])
    expect(await queueOf(id)).toMatchObject({ state: 'queued', failures: 0 })
    stage.chain.balanceWei += 1n
    expect(await pass()).toBe(1)
  })

  test('is postponed by a node’s fault, which is thrown after the others were attempted', async () => {
    const ids = [await openRefund(), await openRefund()]
    const { checkRefund } = stage.sender
    let checks = 0
    const faulty = stage.sweeper({
      checkRefund: (call) => (checks++ === 0 ? Promise.reject(new Error('down')) : checkRefund(call)),
    })
    await expect(pass(faulty)).rejects.toThrow('down')
    const rows = await Promise.all(ids.map(queueOf))
    expect(rows.map((row) => row?.state).sort()).toEqual(['queued', 'sent'])
    expect(rows.find((row) => row?.state === 'queued')).toMatchObject({
      due_at_ms: stage.clock.nowMs + 30_000,
      failures: 0,
    })
  })

  test('is one of five per pass', async () => {
    for (let count = 0; count < 6; count++) await openRefund()
    expect([await pass(), await pass()]).toEqual([5, 1])
  })

  test('is not sent to an address replaced during preparation, nor with money that left', async () => {
    const id = await openRefund()
    const { signTransaction } = stage.signer
    const meanwhile = (act: () => Promise<unknown>) =>
      stage.sweeper(
        {},
        {
          ...stage.signer,
          async signTransaction(transaction) {
            await act()
            return await signTransaction(transaction)
          },
        },
      )
    expect(await pass(meanwhile(() => stage.apply(id, { type: 'refund.requested', address: otherMerchant })))).toBe(0)
    const smaller = () => stage.apply(id, { type: 'refund.sent', amount: baseUnits('1') })
    const gone = () => stage.apply(id, { type: 'refund.confirmed', amount: baseUnits('1'), txId: '0x1' })
    expect(await pass(meanwhile(async () => [await smaller(), await gone()]))).toBe(0)
    expect(await stage.outgoing()).toEqual([])
    expect(await pass()).toBe(1)
  })
})

test('a database fault is thrown, and nothing is broadcast', async () => {
  const id = await openRefund()
  const { applyIn } = stage.ledger
  const ledger: typeof stage.ledger = {
    ...stage.ledger,
    applyIn: (tx, of, event) =>
      event.type === 'refund.sent' ? Promise.reject(new Error('disk')) : applyIn(tx, of, event),
  }
  await expect(pass(createSweeper({ ...stage.deps(), ledger }))).rejects.toThrow('disk')
  expect(await stage.outgoing()).toEqual([])
  expect(stage.chain.broadcasts).toEqual([])
  expect(await queueOf(id)).toMatchObject({ state: 'queued', failures: 0 })
})

describe('the return of an unmatched transfer', () => {
  /** The amount at the address; the payer has set a return address. */
  async function openReturn({
    token = otherToken as string,
    currency = 'USDT',
    balance = 7_000_000n,
    decimals = 6,
    ...terms
  } = {}) {
    const id = await stage.pay({ paid: 1n, ...terms })
    await stage.apply(id, {
      ...{
        type: 'unmatched.measured',
        network: 'devnet',
        token,
        currency,
        decimals,
        balance: balance as BaseUnits,
      },
      ...{ block: 100, txId: '0x57' },
    })
    await stage.apply(id, { type: 'refund.requested', address: payer })
    return id
  }
  const unmatchedOf = async (id: PaymentId) => (await stage.load(id)).unmatched[0]
  const willing = (gas = 100_000n) => stage.sweeper({ checkRefund: async () => ({ gas }) })

  test('is sent from its forwarder, and recorded', async () => {
    const id = await openReturn()
    expect(await pass(willing())).toBe(1)
    expect(await queueOf(id)).toMatchObject({ state: 'sent' })
    expect(stage.lines.find(({ level }) => level === 'info')).toMatchObject({
      message: 'Returning an unmatched transfer',
      fields: { network: 'devnet', paymentId: id, token: otherToken, address: payer, amount: '7000000', nonce: 0 },
    })
  })

  test('ends when the chain has none of it, and the payment gets the event', async () => {
    const id = await openReturn()
    const gone = stage.sweeper({
      checkRefund: async () => ({ error: 'NotRefundable', reason: 'NotRefundable(7000000, 0)', refundable: 0n }),
    })
    expect(await pass(gone)).toBe(1)
    expect(await unmatchedOf(id)).toMatchObject({ balance: 0n, block: stage.chain.head().number, refund: 'none' })
    expect(await queueOf(id)).toBeUndefined()
  })

  test('fails for the token’s reason, and is retried', async () => {
    const id = await openReturn()
    const refusing = stage.sweeper({
      checkRefund: async () => ({ error: 'Blacklisted', reason: 'Blacklisted()', refundable: 0n }),
    })
    expect(await pass(refusing)).toBe(1)
    expect(await queueOf(id)).toMatchObject({ failures: 1, due_at_ms: stage.clock.nowMs + 30_000 })
    expect(await unmatchedOf(id)).toMatchObject({ refund: 'failing' })
    expect(warned()).toEqual([
      {
        ...{ network: 'devnet', paymentId: id, token: otherToken, failures: 1, reason: 'Blacklisted()' },
        message: 'Returning an unmatched transfer failed; retrying',
      },
    ])
  })

  test('is refused for an unknown factory, and if only another operator may send it', async () => {
    const ofFactory = await openReturn({ factory: otherFactory } as never)
    const ofOperator = await openReturn({ operator: stage.former.address } as never)
    expect(await pass(willing())).toBe(2)
    expect(await stage.outgoing()).toEqual([])
    const reasons = stage.lines.map(({ fields }) => [fields['paymentId'], fields['reason']] as const)
    expect(new Map(reasons)).toEqual(
      new Map([
        [ofFactory, `the address belongs to the factory ${otherFactory}, which is not configured here`],
        [ofOperator, `only the operator ${stage.former.address} may send it: add its key to FORMER_OPERATOR_KEYS`],
      ]),
    )
  })

  test('is refused if its row does not match the address', async () => {
    const id = await openReturn({ stored: { merchant: otherMerchant } } as never)
    expect(await pass(willing())).toBe(1)
    expect(await queueOf(id)).toMatchObject({ failures: 1 })
    expect(warned()[0]).toMatchObject({ reason: expect.stringMatching(/^The terms are of 0x/) })
  })

  test('of a token is sent however much gas the recipient uses', async () => {
    const id = await openReturn()
    const costly = stage.sweeper({ checkRefund: async ({ to }) => ({ gas: to === payer ? 500_000n : 50_000n }) })
    expect(await pass(costly)).toBe(1)
    expect(await queueOf(id)).toMatchObject({ state: 'sent' })
  })

  test('of coins waits while its fee exceeds it, exact to the wei, and is planned again an hour later', async () => {
    const fee = 140_000n * feeMax
    const id = await openReturn({ token: coinAddress, balance: fee, decimals: 18 })
    expect(await pass(willing())).toBe(1)
    expect(await unmatchedOf(id)).toMatchObject({ refund: 'too_small' })
    expect(await queueOf(id)).toMatchObject({ state: 'queued', due_at_ms: stage.clock.nowMs + 3_600_000 })
    expect(warned()[0]).toMatchObject({ reason: 'the fee exceeds the amount' })
    const other = await openReturn({ token: coinAddress, balance: fee + 1n, decimals: 18 })
    expect(await pass(willing())).toBe(1)
    expect(await queueOf(other)).toMatchObject({ state: 'sent' })
  })

  test('is worth what its own currency is worth, whatever the payment’s token was worth', async () => {
    stage.network.sweepGas = { maxBps: 100, coinPrice: '2000', maxWaitHours: 24 }
    const [own, other] = [await openReturn({ currency: 'USDC' }), await openReturn()]
    // The fee is 84 cents: more than seven tokens of the payment's currency, less than seven dollars.
    await stage.db.write((tx) => tx.run(sql`update payments set dollar_rate = '0.1'`))
    await pass(willing())
    expect(await unmatchedOf(own)).toMatchObject({ refund: 'too_small' })
    expect(await queueOf(other)).toMatchObject({ state: 'sent' })
  })

  test('of coins is given up if the recipient uses more than twice an account’s gas', async () => {
    const id = await openReturn({ token: coinAddress, balance: 10n ** 17n, decimals: 18 })
    const costs = (gas: bigint) =>
      stage.sweeper({
        checkRefund: async ({ to }) => ({ gas: to.toLowerCase() === payer.toLowerCase() ? gas : 50_000n }),
      })
    expect(await pass(costs(100_001n))).toBe(1)
    expect(await unmatchedOf(id)).toMatchObject({ refund: 'failed', refundReason: 'coins_refused' })
    expect(warned()[0]).toMatchObject({
      reason: `CoinsRefused: sending to ${payer} takes 100001 gas, to an account 50000`,
    })
    stage.clock.nowMs += 3_600_000
    expect(await pass(costs(100_000n))).toBe(1)
    expect(await queueOf(id)).toMatchObject({ state: 'sent' })
  })

  test('of coins that the recipient rejects is given up', async () => {
    const id = await openReturn({ token: coinAddress, balance: 10n ** 17n, decimals: 18 })
    const refusing = stage.sweeper({
      checkRefund: async () => ({ error: 'CoinsRefused', reason: 'CoinsRefused()', refundable: 0n }),
    })
    expect(await pass(refusing)).toBe(1)
    expect(await unmatchedOf(id)).toMatchObject({ refund: 'failed', refundReason: 'coins_refused' })
  })
})

test('the amount due stays the merchant’s: a paid deposit is not refunded before its sweep', async () => {
  const id = await stage.pay({ paid: due + 5n })
  await stage.apply(id, { type: 'refund.requested', address: payer })
  await pass()
  expect(await stage.outgoing()).toHaveLength(1)
  expect(await queueOf(id)).toBeUndefined()
})
