import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newPayment, transferOf } from '@stablecoin-checkout/rig/new-payment'
import { expect, test } from 'vitest'
import { silentLog } from '../../../core/log.ts'
import { baseUnits } from '../../../core/money.ts'
import { systemRuntime } from '../../../core/runtime.ts'
import { sql } from '../../../db/db.ts'
import { initialRefund, type MerchantRefund, type MerchantRefundId } from '../../../payment/merchant-refund.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { insertMerchantRefund, loadMerchantRefund } from '../../../payment/store/merchant-refund-store.ts'
import type { ChainAdapter } from '../../chain-adapter.ts'
import { addressTopic } from '../../event-topic.ts'
import { saveFault } from '../../watch-fault-store.ts'
import { createTransferRetry } from './retry-transfers.ts'

const { signal } = new AbortController()

test('a refund is paid at the place that a reorg took from another one of the same transaction', async () => {
  const { db, ledger, remove } = await openMerchantDatabase()
  try {
    const payment = newPayment({ status: 'swept', sequence: 0 })
    const { merchantId, isTest, network, currency, tokenAddress, tokenDecimals } = payment
    const addressOf = (id: string) => `0x${(id === 'first' ? 'a1' : 'b2').repeat(20)}`
    const refundOf = (id: string): MerchantRefund => ({
      ...{ ...initialRefund, merchantId, isTest, network, currency, tokenAddress, tokenDecimals },
      ...{ id: id as MerchantRefundId, paymentId: payment.id, amount: baseUnits('10'), status: 'to_pay' },
      ...{ price: null, reason: null, confirmations: null, afterBlock: 0, createdAtMs: 1 },
      place: { address: addressOf(id), splitter: null, termsHash: null, splitTerms: null },
    })
    const block = { number: 6, hash: '0xnew', parentHash: '0xb5', timeMs: 2 }
    const transfer = (logIndex: number, blockHash: string) =>
      transferOf('10', { txId: '0xbatch', logIndex, blockNumber: 6, blockHash, payer: '0xmerchant', blockTimeMs: 2 })
    await db.write(async (tx) => {
      await ledger.createIn(tx, payment)
      for (const id of ['first', 'second']) insertMerchantRefund(tx, refundOf(id), { key: null, terms: id })
      await tx.run(sql`
          insert into settlement_wallets (merchant_id, network, address) values (${merchantId}, ${network}, '0xmerchant')`)
    })
    // The batch paid the first refund by its second log, and by its first one since a reorg.
    const first = 'first' as PaymentId
    await ledger.apply(first, { type: 'transfer.seen', transfer: transfer(1, '0xold'), atMs: 2 })
    await ledger.apply(first, { type: 'transfer.seen', transfer: transfer(0, block.hash), atMs: 3 })
    // The second one could not be stored.
    const fault = { id: 'second' as PaymentId, part: 'transfers', place: '6' } as const
    await db.write((tx) => saveFault(tx, network, fault, { error: 'unreadable', atMs: 3 }))
    const found = {
      ...transfer(1, block.hash),
      topic: addressTopic(addressOf('second')),
      source: tokenAddress.toLowerCase(),
    }
    const adapter = { network, block: async () => block, transfers: async () => [found] } as unknown as ChainAdapter
    const chain = { shortName: network, confirmations: 3 } as Parameters<typeof createTransferRetry>[0]['network']
    const retry = createTransferRetry({ db, ledger, adapter, network: chain, runtime: systemRuntime, log: silentLog })
    await retry(block, signal)
    const statusOf = async (id: string) => (await db.read((tx) => loadMerchantRefund(tx, id)))?.status
    expect([await statusOf('first'), await statusOf('second')]).toEqual(['confirming', 'confirming'])
  } finally {
    await remove()
  }
})
