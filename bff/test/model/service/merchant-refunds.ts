import { type BaseUnits, formatAmount } from '@stablecoin-checkout/bff/testing/core'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { payerOf } from './deposit-kinds.ts'
import type { NodeFault } from './evm-node.ts'
import { exchange, keyOf, merchantWallet, reorgMax, type Site, stranger } from './service-site.ts'

/** A refund that the merchant's wallet pays, as its request was answered. */
type ModelRefund = {
  id: string
  token: Hex
  address: Hex
  amount: bigint
  call: { contractAddress: Hex; data: Hex; before: { data: Hex } } | null
}

/**
 * How a refund is paid. `call`, `before`: by the splitter, without and with the deadline. `transfer`: by the settlement wallet. `exchange`: by
 * a wallet that the service does not know, so that the merchant reports the transaction. `stranger`: by anyone, for anything else.
 */
export const refundDoors = ['call', 'before', 'transfer', 'exchange', 'stranger'] as const
type RefundDoor = (typeof refundDoors)[number]

/** One payment of a refund. `part`: hundredths of its amount; a call pays all of it. */
type RefundPart = { index: number; door: RefundDoor; part: number; more: number }

type Sent = { txId: Hex; door: RefundDoor; refunds: readonly ModelRefund[] }

const decimals = 6

/** Refunds of paid payments from the merchant's own wallet, and all that pays them. */
export function createMerchantRefunds(site: Site) {
  const { chain, post, withFaults } = site
  const refunds: ModelRefund[] = []
  const sent: Sent[] = []
  const at = (index: number) => refunds[index % Math.max(1, refunds.length)]

  function callOf({ index, door, part, more }: RefundPart) {
    const refund = at(index)
    if (!refund) return []
    const { call, token, address } = refund
    if (door === 'call' || door === 'before') {
      if (!call) return []
      return [{ refund, call: { to: call.contractAddress, data: door === 'call' ? call.data : call.before.data } }]
    }
    const amount = (refund.amount * BigInt(part)) / 100n + BigInt(more)
    return amount > 0n ? [{ refund, call: chain.transfer(token, address, amount) }] : []
  }

  /** What the service has accepted: it keeps it whatever a reorg moves. */
  const accepted = new Set<string>()

  async function report({ id }: ModelRefund, transactionHash: Hex): Promise<void> {
    const { status } = await post(`/refunds/${id}/verify`, { transactionHash })
    if (status === 200) accepted.add(`${id} ${transactionHash}`)
  }

  return {
    refunds,
    sent: sent as readonly Sent[],

    /** @param part - Hundredths of the amount due; null: all that is left. @param customer - Whose address it goes to. */
    async requestMerchantRefund(
      payment: { id: string; due: bigint; token: Hex },
      part: number | null,
      customer: number,
    ): Promise<void> {
      const address = privateKeyToAccount(keyOf(1_000 + customer)).address
      const amount = ((payment.due * BigInt(part ?? 0)) / 100n) as BaseUnits
      const asked = part === null ? { address } : { address, amount: formatAmount(amount, decimals) }
      const { status, body } = await post(`/payments/${payment.id}/refunds`, asked)
      if (status !== 200) return
      const { refund } = body as { refund: { id: string; amount: string; call: ModelRefund['call'] } }
      const units = BigInt(Math.round(Number(refund.amount) * 10 ** decimals))
      refunds.push({ id: refund.id, token: payment.token, address, amount: units, call: refund.call })
      // No reorg moves what pays it to a block before the request, where a plain transfer does not count.
      await chain.mine(reorgMax, 12)
    },

    /** One transaction, by one door: nobody else's wallet sends beside the merchant's. */
    payMerchantRefunds(parts: readonly RefundPart[]): void {
      const door = parts[0]?.door
      if (door === undefined || refunds.length === 0) return
      // Of several transfers from an exchange to one refund, a report counts the one that fits.
      const isOnce = (one: RefundPart, place: number) =>
        parts.findIndex(({ index }) => at(index) === at(one.index)) === place
      const some = door === 'exchange' ? parts.filter(isOnce) : parts
      const calls = some.flatMap((one) => callOf({ ...one, door }))
      if (calls.length === 0) return
      const wallets = { exchange, stranger, call: null, before: null, transfer: null }
      const from = wallets[door] ?? payerOf(site.network().deposits, merchantWallet)
      const txId = chain.send(
        from,
        calls.map(({ call }) => call),
      )
      sent.push({ txId, door, refunds: calls.map(({ refund }) => refund) })
    },

    async cancelMerchantRefund(index: number): Promise<void> {
      const refund = at(index)
      if (refund) await post(`/refunds/${refund.id}/cancel`, {})
    },

    /** The merchant reports a transaction, perhaps for a refund that it does not pay, while nodes have these faults. */
    async reportMerchantRefund(index: number, which: number, faults: readonly NodeFault[]): Promise<void> {
      const [refund, paid] = [at(index), sent[sent.length - 1 - (which % Math.max(1, sent.length))]]
      if (refund && paid && paid.door !== 'stranger') await withFaults(faults, () => report(refund, paid.txId))
    },

    /** The merchant reports what an exchange paid and it has not reported, or all that it paid. @returns whether there was any. */
    async reportRefunds(isAll: boolean): Promise<boolean> {
      const unknown = sent.flatMap(({ door, txId, refunds: paid }) =>
        paid
          .filter(({ id }) => door !== 'stranger' && (isAll || !accepted.has(`${id} ${txId}`)))
          .filter(() => isAll || door === 'exchange')
          .map((refund) => ({ refund, txId })),
      )
      for (const { refund, txId } of unknown) await report(refund, txId)
      return unknown.length > 0
    },
  }
}
