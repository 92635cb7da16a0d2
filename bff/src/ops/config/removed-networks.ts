import type { Networks } from '../../core/families.ts'
import type { Log } from '../../core/log.ts'
import type { Db } from '../../db/db.ts'
import { countParkedShares, type ParkedCount } from '../../payout/parked-share-store.ts'
import { networksStillNeeded, type UsedNetwork } from './removed-networks-store.ts'
import { ConfigError } from './source.ts'

/** What is wrong with a configuration that left out a network, in a sentence with the payments. */
export const removedText = ({ network, count, payments }: UsedNetwork): string =>
  `the network ${network} is not configured, and ${count} payments of it are not done: ${payments.join(', ')}${count > payments.length ? ', …' : ''}`

export const removedFix =
  'Put it back until they have ended and are paid out. To take no new payments on it, remove the merchants’ wallets for it.'

export const findRemovedNetworks = (db: Db, networks: Networks): Promise<UsedNetwork[]> =>
  db.read((tx) => networksStillNeeded(tx, [...networks.keys()]))

/**
 * Without its network nobody watches an open payment, and nobody sends what is to be sent: its customer would pay in vain.
 * @throws {ConfigError} that names the payments.
 */
export async function refuseRemovedNetworks(db: Db, networks: Networks): Promise<void> {
  const removed = await findRemovedNetworks(db, networks)
  if (removed.length > 0) throw new ConfigError(removed.map((one) => `networks: ${removedText(one)}. ${removedFix}`))
}

export const removedSharesText = ({ network, count }: ParkedCount): string =>
  `the network ${network} is not configured, and ${count} shares of the platform wait on it`

export const removedSharesFix = 'Nobody pays them until the network is configured again.'

/**
 * Names the shares that nobody pays without their network. The start goes on, other than with open payments: no customer and no merchant waits
 * for a share, and a wallet that its token blocks for good would keep the network in the configuration for ever.
 */
export async function warnOfRemovedShares(db: Db, networks: Networks, log: Pick<Log, 'warn'>): Promise<void> {
  for (const waiting of await db.read(countParkedShares)) {
    const { network, count } = waiting
    if (networks.has(network)) continue
    log.warn({ network, shares: count }, `${removedSharesText(waiting)}. ${removedSharesFix}`)
  }
}
