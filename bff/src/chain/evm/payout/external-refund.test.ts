import { duePayout, openPayoutStage, type PayoutStage, payer } from '@stablecoin-checkout/rig/payout-stage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { formatDepositTerms } from '../deposit/deposit-terms.ts'
import type { Head } from '../send/evm-sender.ts'
import { findExternalRefund } from './external-refund.ts'
import type { PayoutContext } from './payout-context.ts'

const [token, deposit, factory] = ['aa', 'bb', 'cc'].map((byte) => `0x${byte.repeat(20)}` as const) as [
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
]
const txId = `0x${'5'.repeat(64)}` as const
const refund = { forwarder: deposit, token, to: payer, amount: 10_000_000n }
const confirmations = 3
const finalityBlocks = 5

let stage: PayoutStage
let id: PaymentId
beforeEach(async () => {
  stage = await openPayoutStage()
  id = await stage.short()
})
afterEach(() => stage.close())

/** Searches for the refund that one node found in block 90, while the newest block is `head`. */
async function search({ head = 95, shown = [refund] as object[], isCanonical = true, isAttested = true } = {}) {
  const found = { txId, to: payer, amount: refund.amount, blockNumber: 90, blockHash: '0xb90' }
  const sender = {
    findRefund: async () => ({ found, next: head + 1 }),
    isCanonical: async () => isCanonical,
    receipt: async () => ({ refunds: shown }),
    isAttested: async () => isAttested,
  }
  const network = { ...stage.deps.network, confirmations, finalityBlocks }
  const context = { ...stage.deps, network, sender, memory: { refundsSearchedTo: new Map() } }
  const zero = `0x${'0'.repeat(40)}` as const
  const terms = { chainId: 1, token, amount: 1n, least: 1n, merchant: zero, platform: zero, feeBps: 0, factory }
  const depositTerms = formatDepositTerms({ ...terms, deadlineSeconds: 1, operator: zero, salt: `0x${'0'.repeat(64)}` })
  const payout = { ...duePayout('refund', id), depositAddress: deposit, depositTerms }
  return await findExternalRefund(context as unknown as PayoutContext, payout, token, { number: head } as Head)
}
const refunded = async () => (await stage.load(id)).refunded

test('a refund that is on the chain is counted once no reorg can undo it, and not while its block may go', async () => {
  for (const head of [91, 92, 94]) expect([await search({ head }), await refunded()]).toEqual(['waiting', 0n])
  expect([await search({ isCanonical: false }), await refunded()]).toEqual(['waiting', 0n])
  expect([await search(), await refunded()]).toEqual(['counted', 10_000_000n])
})

describe('a refund of a high-value payment', () => {
  beforeEach(() => stage.db.write((tx) => tx.run(sql`update payments set confirmations = 64 where id = ${id}`)))

  test.each([
    ['is of another amount', { shown: [{ ...refund, amount: 9_999_999n }] }],
    ['went to another wallet', { shown: [{ ...refund, to: factory }] }],
    ['is of another token', { shown: [{ ...refund, token: factory }] }],
    ['left another deposit', { shown: [{ ...refund, forwarder: factory }] }],
    ['is not there', { shown: [] }],
    ['is one node’s', { isAttested: false }],
  ])('is not counted where the one that is shown %s', async (_, changes) => {
    expect([await search(changes), await refunded()]).toEqual(['waiting', 0n])
  })

  test('is counted where other nodes show the same, however they spell its addresses', async () => {
    const spelt = { ...refund, forwarder: deposit.toUpperCase(), token: token.toUpperCase(), to: payer.toLowerCase() }
    const other = { ...refund, amount: 1n }
    expect([await search({ shown: [other, spelt] }), await refunded()]).toEqual(['counted', 10_000_000n])
  })
})
