import type { EvmNetwork, Networks } from '../../../core/families.ts'
import { topicOf } from '../../event-topic.ts'
import { type Account, inChainOrder, type Movement } from '../../movements.ts'
import { areAddressesOn } from '../deposit/address-homes.ts'

/** Maximum addresses to filter by; above it, one query for all transfers of the tokens is cheaper for both sides. */
export const fewMax = 500

/**
 * Kept in memory per account while the chain is read; a shop may have a hundred thousand. `contract`: the splitter in lower case,
 * or the deposit address. `homeToken`: empty if the payment is on another network.
 */
type Entry = { isDeposit: boolean; contract: string; homeToken: string; movements: Movement[] | undefined }

/** The accounts of one network, by their event topic, with their movements. */
export function createAccountIndex(network: EvmNetwork, networks: Networks) {
  const entries = new Map<string, Entry>()
  const tokens = new Set<string>()
  const splitters = new Set<string>()
  /** Interns equal texts: each database row has its own copy. */
  const texts = new Map<string, string>()
  const interned = (text: string): string => {
    if (!texts.has(text)) texts.set(text, text)
    return texts.get(text) ?? text
  }
  let firstCreatedAtMs = Number.POSITIVE_INFINITY

  function isHere({ network: home, mode }: Account): boolean {
    if (home === network.shortName) return true
    const other = networks.get(home)
    return mode === 'deposit' && other !== undefined && areAddressesOn(other, network)
  }

  return {
    isHere,
    tokens,
    splitters,
    get size() {
      return entries.size
    },
    get firstCreatedAtMs() {
      return firstCreatedAtMs
    },
    add(account: Account): void {
      if (!isHere(account)) return
      const splitter = account.splitter?.toLowerCase()
      const contract = splitter === undefined ? account.place : interned(splitter)
      const homeToken = account.network === network.shortName ? interned(account.token) : ''
      entries.set(topicOf(account), { isDeposit: splitter === undefined, contract, homeToken, movements: undefined })
      if (splitter !== undefined) splitters.add(splitter)
      // A token no longer configured is still the token of its payments.
      if (homeToken !== '') tokens.add(homeToken.toLowerCase())
      firstCreatedAtMs = Math.min(firstCreatedAtMs, account.createdAtMs)
    },
    has: (topic: string) => entries.has(topic),
    /** Whether the contract's event may concern the account. */
    isSource(topic: string, contract: string): boolean {
      const entry = entries.get(topic)
      return entry !== undefined && (entry.isDeposit || entry.contract === contract)
    },
    homeToken: (topic: string) => entries.get(topic)?.homeToken ?? '',
    /** All topics, if few enough for the node to filter by; else undefined. */
    few: () => (entries.size <= fewMax ? [...entries.keys()] : undefined),
    /** The contracts whose events count, if few enough to filter by; else undefined. */
    fewContracts(): string[] | undefined {
      if (entries.size > fewMax) return undefined
      return [...new Set([...entries.values()].map(({ contract }) => contract))]
    },
    /** A node may return a log twice; it counts once. */
    record(topic: string, movement: Movement): void {
      const entry = entries.get(topic)
      if (entry === undefined) return
      const isKnown = entry.movements?.some(
        ({ txId, logIndex, kind }) =>
          txId === movement.txId && logIndex === movement.logIndex && kind === movement.kind,
      )
      if (isKnown) return
      if (entry.movements) entry.movements.push(movement)
      else entry.movements = [movement]
    },
    movementsOf: (account: Account): readonly Movement[] =>
      entries.get(topicOf(account))?.movements?.toSorted(inChainOrder) ?? [],
  }
}
