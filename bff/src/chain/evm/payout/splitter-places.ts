import type { Hex } from 'viem'
import { type PageOfTerms, splitTermsAfter } from '../../../payout/parked-share-store.ts'
import type { SplitterPlace } from '../deposit/parked-call.ts'
import { parseSplitTerms, type SplitTerms } from '../split/split-terms.ts'
import type { PayoutContext } from './payout-context.ts'

/** Payments per page, and pages per call. Parsing the terms of 2,000 payments blocks the process for about 30 ms. */
const pageMax = 2_000
const pagesMax = 25

const keyOf = ({ splitter, token, recipient }: SplitterPlace): string =>
  `${splitter} ${token} ${recipient}`.toLowerCase()

/**
 * Every splitter balance that the network's wallet payments may have left, including former wallets, tokens and splitters. Reads
 * payments created since the last call; the first call in a process starts with the oldest.
 * @returns `isWhole`: whether all payments were read.
 */
export async function findSplitterPlaces(
  context: PayoutContext,
): Promise<{ places: SplitterPlace[]; isWhole: boolean }> {
  const { db, memory, network } = context
  const { splitterPlaces } = memory
  const { splitter, platformWallet, tokens = [] } = network
  if (splitter !== undefined && platformWallet !== undefined) {
    for (const { address } of tokens) {
      const place = { splitter: splitter as Hex, token: address as Hex, recipient: platformWallet as Hex }
      splitterPlaces.set(keyOf(place), place)
    }
  }
  let isWhole = false
  for (let pages = 0; pages < pagesMax && !isWhole; pages++) {
    const page: PageOfTerms = await db.read((tx) =>
      splitTermsAfter(tx, network.shortName, { after: memory.splitterReadTo, limit: pageMax }),
    )
    for (const text of page.terms) {
      const place = placeOf(text)
      if (place) splitterPlaces.set(keyOf(place), place)
    }
    memory.splitterReadTo = page.upTo
    isWhole = page.isLast
  }
  return { places: [...splitterPlaces.values()], isWhole }
}

/** Undefined when the stored terms are corrupt: such a payment cannot be paid, and must not delay other shares. */
function placeOf(text: string): SplitterPlace | undefined {
  let terms: SplitTerms
  try {
    terms = parseSplitTerms(text)
  } catch {
    return undefined
  }
  const { splitter, token, platform, feeBps } = terms
  return feeBps === 0 ? undefined : { splitter, token, recipient: platform }
}
