import type { Db, Tx } from '../../../db/db.ts'
import type { MerchantId, Payment, PaymentId } from '../../../payment/payment.ts'
import {
  merchantsAt,
  refundsPaidIn,
  type WatchedRefund,
  watchedRefundPlaces,
  watchedRefundsAt,
} from '../../../payment/store/merchant-refund-store.ts'
import { recordedTokens } from '../../../payment/store/token-store.ts'
import { depositsAt, splitsOf, watchedPlaces, watchedSplitters } from '../../../payment/store/watched-payments-store.ts'
import type { SeenTransfer } from '../../chain-adapter.ts'
import { addressTopic, topicAddress } from '../../event-topic.ts'
import { watchAfterWindowMs } from '../../watch-window.ts'
import { parseVirtualAddress } from '../virtual/virtual-address.ts'
import { createFewTopics } from './few-topics.ts'
import { matchRefunds, type RefundTransfer } from './match-refunds.ts'

/** Topics per query: a long range of blocks contains hundreds of thousands of addresses. */
const topicsMax = 5_000

/** Newest refunds whose splitter is read. Older ones have another splitter only after a change of the configuration. */
const refundSplittersMax = 500

const modes: readonly Payment['mode'][] = ['deposit', 'contract']

/** A topic's address as stored in the database, in lower case; undefined if it has none. */
export type StoredAddress = (topic: string) => string | undefined

/** `source`: the contract whose event counts, in lower case. */
export type WatchList = ReturnType<typeof createWatchList>

export type WatchedPayment = { id: PaymentId; source: string; isHighValue: boolean }

/** Merchants by those of their own wallets' addresses that sent the transfers, in lower case. */
export async function ownersOfSenders(tx: Tx, transfers: readonly SeenTransfer[]): Promise<Map<string, MerchantId>> {
  // Transfers from a virtual address forward a payment to the merchant; they are not refunds.
  const senders = transfers.filter(({ payer }) => parseVirtualAddress(payer) === undefined)
  return await merchantsAt(tx, [...new Set(senders.map(({ payer }) => payer.toLowerCase()))].slice(0, topicsMax))
}

/**
 * One network's payments that may still receive money. The list stays in the database, which is queried with the addresses in a
 * block's events, so a start reads none of it, however many payments there are. A payment is stored before the block that pays
 * it, on whatever replica, so a query after reading the block's events misses no payment.
 */
export function createWatchList(db: Db, network: string, storedAddress: StoredAddress = topicAddress) {
  const few = createFewTopics(async (tx, endedAfterMs, limit) => {
    const ofModes = []
    for (const mode of modes) ofModes.push(...(await watchedPlaces(tx, { network, mode, endedAfterMs }, limit)))
    const refunds = await watchedRefundPlaces(tx, { network, endedAfterMs }, limit)
    const ofRefunds = refunds.flatMap(({ address, termsHash }) => [
      { mode: 'deposit' as const, place: address },
      ...(termsHash === null ? [] : [{ mode: 'contract' as const, place: termsHash }]),
    ])
    return [...ofModes, ...ofRefunds]
  })
  let splitters: ReadonlySet<string> = new Set()
  let tokens: ReadonlySet<string> = new Set()
  let endedAfterMs = 0
  return {
    /**
     * Loads whether anything is watched, and the splitters and tokens.
     * @param nowMs - By the chain's clock: payments that ended long before are no longer watched.
     */
    async refresh(nowMs: number): Promise<void> {
      endedAfterMs = nowMs - watchAfterWindowMs
      await few.refresh(db, endedAfterMs)
      if (few.isEmpty()) return
      await db.read(async (tx) => {
        const refunds = await watchedRefundPlaces(tx, { network, endedAfterMs }, refundSplittersMax)
        const ofRefunds = refunds.flatMap(({ splitter }) => splitter ?? [])
        splitters = new Set([...(await watchedSplitters(tx, network, endedAfterMs)), ...ofRefunds])
        tokens = new Set((await recordedTokens(tx, network)).map(({ address }) => address))
      })
    },
    isEmpty: few.isEmpty,
    /** The watched payments' splitters, including former ones. */
    splitters: () => splitters,
    /** Every token of a payment or ever configured, in lower case. */
    tokens: () => tokens,
    /** All topics, if few enough for the node to filter by; else undefined. */
    few: few.topics,
    /** The watched merchant refunds of these topics, oldest first. */
    async findRefunds(topics: readonly string[]): Promise<WatchedRefund[]> {
      const found: WatchedRefund[] = []
      for (let first = 0; first < topics.length; first += topicsMax) {
        const some = topics.slice(first, first + topicsMax)
        const addresses = some.flatMap((topic) => storedAddress(topic) ?? [])
        const termsHashes = some.filter((topic) => storedAddress(topic) === undefined)
        found.push(
          ...(await db.read((tx) => watchedRefundsAt(tx, { network, endedAfterMs }, { addresses, termsHashes }))),
        )
      }
      return found
    },
    /** The transfers that pay one of the refunds. */
    async matchRefunds(
      transfers: readonly SeenTransfer[],
      refunds: readonly WatchedRefund[],
    ): Promise<RefundTransfer[]> {
      if (refunds.length === 0) return []
      const txIds = [...new Set(transfers.map(({ txId }) => txId))].slice(0, topicsMax)
      const [paid, owners] = await db.read(async (tx) => [
        await refundsPaidIn(tx, network, txIds),
        await ownersOfSenders(tx, transfers),
      ])
      return matchRefunds(transfers, refunds, paid, owners)
    },
    /** The watched payments of these topics. */
    async find(topics: readonly string[]): Promise<Map<string, WatchedPayment>> {
      const found = new Map<string, WatchedPayment>()
      for (let first = 0; first < topics.length; first += topicsMax) {
        const some = topics.slice(first, first + topicsMax)
        const addresses = some.flatMap((topic) => storedAddress(topic) ?? [])
        const hashes = splitters.size === 0 ? [] : some.filter((topic) => storedAddress(topic) === undefined)
        const rows = await db.read(async (tx) => [
          ...(addresses.length === 0 ? [] : await depositsAt(tx, addresses))
            .filter((deposit) => deposit.network === network)
            .map(({ address, token, ...row }) => ({ ...row, topic: addressTopic(address), source: token })),
          ...(hashes.length === 0 ? [] : await splitsOf(tx, network, hashes)).map(
            ({ termsHash, splitter, ...row }) => ({ ...row, topic: termsHash, source: splitter }),
          ),
        ])
        for (const { topic, id, source, windowEndsAtMs, isHighValue } of rows) {
          if (windowEndsAtMs > endedAfterMs) found.set(topic, { id, source, isHighValue })
        }
      }
      return found
    },
  }
}
