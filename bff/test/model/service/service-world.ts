import { sql } from '@stablecoin-checkout/bff/testing/db'
import { type BridgeStatus, newBridge, type PaymentId } from '@stablecoin-checkout/bff/testing/payment'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { settleCallOf } from './calls.ts'
import type { Call } from './contracts.ts'
import { createMerchantRefunds } from './merchant-refunds.ts'
import { accounts, keyOf, openSite, relay, type Settings, stranger, tokens } from './service-site.ts'
import { createSigners, type ModelPayment } from './signers.ts'
import { createWalletPayments } from './wallet-payments.ts'

export type World = Awaited<ReturnType<typeof openWorld>>

/** The whole service on a real file, with the model's chain, nodes and clock, and the payers. */
export async function openWorld(settings: Settings) {
  const site = await openSite(settings)
  const { chain, post } = site
  const db = site.db()
  const payments: ModelPayment[] = []
  const at = (index: number) => payments[index % Math.max(1, payments.length)]
  const signers = createSigners(site, at)
  const walletPayments = createWalletPayments(site)
  const merchantRefunds = createMerchantRefunds(site)
  let isBlind = false

  const refundAddressOf = (payment: ModelPayment) =>
    privateKeyToAccount(keyOf(1_000 + payments.indexOf(payment))).address

  /** Remembers the payment at the address. */
  async function remember(address: string, more: Partial<ModelPayment>): Promise<ModelPayment> {
    type Row = { id: PaymentId; due: string; least: string; token: Hex; ends: number; direct: number }
    const row = await db.read((tx) =>
      tx.get<Row>(sql`
          select id, due, least, token_address as token, window_ends_at_ms as ends, is_direct as direct
            from payments
           where lower(deposit_address) = ${address.toLowerCase()}`),
    )
    if (!row) throw new Error(`There is no payment at ${address}`)
    const { id, due, least, token, ends, direct } = row
    const payment: ModelPayment = {
      id,
      address: address as Hex,
      token,
      due: BigInt(due),
      least: BigInt(least),
      windowEndsAtMs: Number(ends),
      clientSecret: '',
      isDirect: Number(direct) === 1,
      charge: null,
      proofs: [],
      served: 0,
      bridge: null,
      ...more,
    }
    payments.push(payment)
    return payment
  }

  return {
    ...site,
    ...signers,
    ...walletPayments,
    ...merchantRefunds,
    payments,

    async create(step: {
      kind: 'plain' | 'bridge' | 'charge'
      amount: number
      symbol: 'USDC' | 'USDT'
    }): Promise<void> {
      if (step.kind === 'charge') return await this.createCharge(step.amount)
      const answer = await post('/deposits/create', {
        amount: `${step.amount}.00`,
        currency: step.symbol,
        network: 'devnet',
        orderId: `o${payments.length}`,
      })
      if (answer.status !== 200) return
      const { payment } = answer.body as { payment: { depositAddress: string; clientSecret: string } }
      const { id } = await remember(payment.depositAddress, { clientSecret: payment.clientSecret })
      const made = payments.at(-1)
      if (step.kind !== 'bridge' || !made || made.isDirect) return
      made.bridge = { underWayAtMs: null, isReturned: false, deliveredAtMs: null }
      const terms = {
        requestId: `r${payments.length}`,
        relayDepositAddress: relay,
        originChainId: 1,
        originName: 'Ethereum',
        originExplorerUrl: null,
        originCurrency: 'USDC',
        originToken: relay,
        originDecimals: 6,
        amountToSend: '25100000',
      }
      await db.write((tx) =>
        tx.run(sql`
            insert into bridges (payment_id, bridge_terms, bridge_status)
            values (${id}, ${JSON.stringify(newBridge(terms).terms)}, 'waiting')`),
      )
    },

    async createCharge(amount: number): Promise<void> {
      const charge = { resource: `https://api.example/${payments.length}`, amount: `${amount}.00` }
      const answer = await post('/x402/charge', { ...charge, currency: 'USDC', network: 'devnet' })
      const header = answer.headers.get('payment-required')
      if (answer.status !== 402 || !header) return
      const required = JSON.parse(Buffer.from(header, 'base64').toString()) as { accepts: Record<string, unknown>[] }
      const [accepted = {}] = required.accepts
      await remember(String(accepted['payTo']), { charge: { ...charge, accepted } })
    },

    /** One transaction that pays several payments. `part`: hundredths of the amount due; `more`: additional base units. */
    pay(parts: readonly { index: number; part: number; more: number; isOther: boolean }[], payer: number): void {
      const calls = parts.flatMap(({ index, part, more, isOther }) => {
        const payment = at(index)
        if (!payment) return []
        const amount = (payment.due * BigInt(part)) / 100n + BigInt(more)
        const other = payment.token.toLowerCase() === tokens.usdt.toLowerCase() ? tokens.usdc : tokens.usdt
        return amount > 0n ? [chain.transfer(isOther ? other : payment.token, payment.address, amount)] : []
      })
      const from = accounts[payer % accounts.length]?.address ?? stranger
      if (calls.length > 0) chain.send(from, calls)
    },

    /** Pays in a block this many seconds after the end of a payment's window. Does nothing if that time has passed. */
    async payAtWindowEnd(index: number, seconds: number, part: number): Promise<void> {
      const payment = at(index)
      if (!payment) return
      const wait = payment.windowEndsAtMs / 1_000 + seconds - 1 - chain.nowMs() / 1_000
      if (wait < 0) return
      chain.wait(wait)
      this.pay([{ index, part, more: 0, isOther: false }], 0)
      await chain.mine(1, 1)
    },

    /** A transfer of the amount due. */
    paymentOf(index: number): Call[] {
      const payment = at(index)
      return payment ? [chain.transfer(payment.token, payment.address, payment.due)] : []
    },

    /** The relay reports a status; with `success` it delivers. */
    async moveBridge(index: number, status: BridgeStatus): Promise<void> {
      const bridged = payments.filter(({ bridge }) => bridge !== null)
      const payment = bridged[index % Math.max(1, bridged.length)]
      if (!payment?.bridge || payment.bridge.isReturned || payment.bridge.deliveredAtMs !== null) return
      const isReturned = status === 'refund' || status === 'failure'
      if (status === 'waiting' || (isReturned && payment.bridge.underWayAtMs === null)) return
      const report = { status, originTxId: '0xo', destinationTxId: null, refundTxId: null, reason: null }
      await site.ledger().apply(payment.id, { type: 'bridge.moved', report, atMs: chain.nowMs() })
      payment.bridge.underWayAtMs ??= chain.nowMs()
      payment.bridge.isReturned = isReturned
      if (status !== 'success') return
      payment.bridge.deliveredAtMs = chain.nowMs()
      chain.send(relay, [chain.transfer(payment.token, payment.address, payment.due)])
    },

    settleAsStranger: async (index: number): Promise<void> => {
      const payment = at(index)
      if (!payment || payment.isDirect) return
      chain.send(stranger, [await settleCallOf(db, payment)])
    },

    /** Blocks whose logs no node has, during several passes of the watcher. */
    async keepLogsBack(blocks: number, passes: number): Promise<void> {
      // A virtual address has no balance that could reveal the missing logs.
      if (site.network().deposits === 'virtual') return
      await chain.mine(blocks, 12)
      isBlind = true
      const fault = { type: 'keeps-logs-back' } as const
      for (let pass = 0; pass < passes; pass += 1) await site.pass('watcher', [fault, fault])
    },
    isBlind: () => isBlind,

    /** The issuer blocks a payment's refund address. */
    blockRefundAddress(index: number): void {
      const payment = at(index)
      if (payment) site.addBlocked(refundAddressOf(payment))
    },

    /** A deposit or a wallet payment. */
    anyPayment(index: number) {
      const wallets = walletPayments.walletPayments.map((one) => ({ ...one, token: one.details.token }))
      const all = [...payments, ...wallets]
      return all[index % Math.max(1, all.length)]
    },

    async requestRefund(index: number): Promise<void> {
      const payment = at(index)
      if (!payment) return
      const address = refundAddressOf(payment)
      await post(`/deposits/refund-request/${payment.id}`, { address })
    },
    acceptLate: async (index: number) => {
      const payment = at(index)
      if (payment) await post(`/payments/${payment.id}/accept-late`, {})
    },
    fail: async (index: number) => {
      const payment = at(index)
      if (payment) await post('/payments/fail', { paymentId: payment.id, status: 'failed' })
    },
  }
}
