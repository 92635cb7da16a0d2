import { parseDepositTerms } from '../../chain/evm/deposit/deposit-terms.ts'
import { operatorSigner } from '../../chain/evm/signer/operator.ts'
import { countUnanswered } from '../../chain/evm/watch/second-read-store.ts'
import { bad, type Finding, found, warning } from '../../core/finding.ts'
import type { Db } from '../../db/db.ts'
import { countParkedShares } from '../../payout/parked-share-store.ts'
import { queuedReturnTerms } from '../../payout/payout-queue-store.ts'
import type { Config } from '../config/config.ts'
import {
  findRemovedNetworks,
  removedFix,
  removedSharesFix,
  removedSharesText,
  removedText,
} from '../config/removed-networks.ts'

const hourMs = 60 * 60 * 1000

/** Pending payouts that cannot be sent. */
export async function examinePayouts(
  db: Db,
  config: Pick<Config, 'networks' | 'operator' | 'formerOperators'>,
  { nowMs }: { nowMs: () => number },
): Promise<Finding[]> {
  const removed = await findRemovedNetworks(db, config.networks)
  return [
    ...removed.map((one) => bad(found('network.removed', one.count), one.network, removedText(one), removedFix)),
    ...(await examineParkedShares(db, config.networks, nowMs())),
    ...(await examineOperators(db, config)),
    ...(await examineUnanswered(db, nowMs())),
  ]
}

/** Blocks that no node returns, and that may contain a payment. */
async function examineUnanswered(db: Db, nowMs: number): Promise<Finding[]> {
  const unanswered = await db.read(countUnanswered)
  return unanswered.map(({ network, count, first, sinceMs }) => {
    const hours = Math.max(0, Math.floor((nowMs - sinceMs) / hourMs))
    const says = `no node returns ${count} blocks from ${first} on, for ${hours} hours: the windows of payments that they can pay stay open for up to a day`
    return warning(
      found('unanswered blocks.found', count, first, hours),
      network,
      says,
      'Add an RPC node that has the logs of these blocks.',
    )
  })
}

/** Refunds and returns searched for accounts without a key. */
const queuedMax = 1_000

/** A deposit's terms name its operator permanently: no other account can return its money. */
async function examineOperators(
  db: Db,
  { networks, operator, formerOperators }: Pick<Config, 'networks' | 'operator' | 'formerOperators'>,
): Promise<Finding[]> {
  const sources = [...(operator ? [operator] : []), ...formerOperators]
  const known = new Set(sources.map((source) => operatorSigner(source).address.toLowerCase()))
  const findings: Finding[] = []
  for (const { shortName, name } of networks.values()) {
    const waiting = new Map<string, number>()
    for (const terms of await db.read((tx) => queuedReturnTerms(tx, shortName, queuedMax))) {
      const account = operatorOf(terms)
      if (account !== undefined && !known.has(account.toLowerCase()))
        waiting.set(account, (waiting.get(account) ?? 0) + 1)
    }
    for (const [account, count] of waiting) {
      const says = `${count} refunds or returns wait for the former operator ${account}: only that account can send them`
      const fix = 'Add its key to FORMER_OPERATOR_KEYS, leave it some gas, and restart.'
      findings.push(bad(found('operator.former', count, account), name, says, fix))
    }
  }
  return findings
}

/** Undefined for terms without an operator, such as Solana's. */
function operatorOf(terms: string): string | undefined {
  try {
    return parseDepositTerms(terms).operator
  } catch {
    return undefined
  }
}

/** The platform's shares that could not be paid with the merchant's. */
async function examineParkedShares(db: Db, networks: Config['networks'], nowMs: number): Promise<Finding[]> {
  const parked = await db.read(countParkedShares)
  return parked.map((waiting) => {
    const { network, count, oldestAtMs, reason } = waiting
    if (!networks.has(network)) {
      const what = found('platform shares.removed', count)
      return bad(what, network, removedSharesText(waiting), removedSharesFix)
    }
    const hours = Math.max(0, Math.floor((nowMs - oldestAtMs) / hourMs))
    const why = reason === null ? '' : `: ${reason}`
    const says = `${count} shares of the platform are parked at their deposit addresses, the oldest for ${hours} hours${why}`
    const fix =
      'They are paid automatically once the token can pay platformWallet again: contact the issuer. A new platformWallet does not receive them.'
    return warning(found('platform shares.parked', count, hours), network, says, fix)
  })
}
