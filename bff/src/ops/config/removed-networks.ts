import { depositsOf, familyOf } from '../../chain/index.ts'
import type { Networks } from '../../core/families.ts'
import type { Log } from '../../core/log.ts'
import type { Db } from '../../db/db.ts'
import { countParkedShares, type ParkedCount } from '../../payout/parked-share-store.ts'
import { networksStillNeeded, sweptPaymentsOn, type UsedNetwork } from './removed-networks-store.ts'
import { ConfigError } from './source.ts'

/** A configuration fault for a removed network, naming the payments. */
export const removedText = ({ network, count, payments }: UsedNetwork): string =>
  `the network ${network} is not configured, but ${count} payments on it are unfinished: ${payments.join(', ')}${count > payments.length ? ', …' : ''}`

export const removedFix =
  'Restore it until they have ended and are paid out. To stop new payments on it, remove the merchants’ wallets for it.'

export const findRemovedNetworks = (db: Db, networks: Networks): Promise<UsedNetwork[]> =>
  db.read((tx) => networksStillNeeded(tx, [...networks.keys()]))

/**
 * Refuses to start without the network of unfinished payments: open ones would not be watched, so customers would pay in
 * vain, and pending money would not be sent.
 * @throws {ConfigError} that names the payments.
 */
export async function refuseRemovedNetworks(db: Db, networks: Networks): Promise<void> {
  const removed = await findRemovedNetworks(db, networks)
  if (removed.length > 0) throw new ConfigError(removed.map((one) => `networks: ${removedText(one)}. ${removedFix}`))
}

/**
 * Refuses to start when unfinished deposits need the operator. Deposits from before `deposits` was changed are still swept
 * and refunded by the operator; with virtual addresses, nothing is.
 * @throws {ConfigError} that names the payments.
 */
export async function refuseUnsweptDeposits(db: Db, networks: Networks, hasOperator: boolean): Promise<void> {
  const faults: string[] = []
  for (const network of networks.values()) {
    const isSweptByOperator = familyOf(network).payerKey?.variable === 'OPERATOR_PRIVATE_KEY'
    const rules = depositsOf(network)
    const isVirtual = rules.isDirect && rules.kind === 'virtual'
    if (!isSweptByOperator || !rules.isDirect || (hasOperator && !isVirtual)) continue
    const { count, payments } = await db.read((tx) => sweptPaymentsOn(tx, network.shortName))
    if (count === 0) continue
    const named = `${payments.join(', ')}${count > payments.length ? ', …' : ''}`
    if (isVirtual) {
      const open = `${count} payments from before the change are not paid out: ${named}`
      faults.push(
        `networks (${network.shortName}): deposits cannot be "virtual" yet, ${open}. Set it back until they are`,
      )
      continue
    }
    faults.push(
      `OPERATOR_PRIVATE_KEY is required until ${count} payments on ${network.shortName} from before deposits was changed are paid out: ${named}`,
    )
  }
  if (faults.length > 0) throw new ConfigError(faults)
}

export const removedSharesText = ({ network, count }: ParkedCount): string =>
  `the network ${network} is not configured, but ${count} shares of the platform are pending on it`

export const removedSharesFix = 'They are not paid until the network is configured again.'

/**
 * Reports shares that cannot be paid without their network. Unlike with open payments, the service starts: no customer or
 * merchant waits for a share, and a wallet that its token blocks for good would keep the network configured forever.
 */
export async function warnOfRemovedShares(db: Db, networks: Networks, log: Pick<Log, 'warn'>): Promise<void> {
  for (const waiting of await db.read(countParkedShares)) {
    const { network, count } = waiting
    if (networks.has(network)) continue
    log.warn({ network, shares: count }, `${removedSharesText(waiting)}. ${removedSharesFix}`)
  }
}
