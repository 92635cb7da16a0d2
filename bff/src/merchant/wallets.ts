import { familyOf } from '../chain/index.ts'
import { ValidationError } from '../core/errors.ts'
import { findNetwork, type Network, type Networks } from '../core/families.ts'
import type { Db } from '../db/db.ts'
import type { MerchantId } from '../payment/payment.ts'
import { hasAccount, loadWallets, type Wallet } from './account-store.ts'
import { saveWallet } from './merchant-store.ts'

/**
 * A settlement wallet in its checksummed form. Money sent to it cannot be recovered, so everything that is
 * certainly not a wallet is refused, one reason per line.
 * @throws {ValidationError}
 */
export function checkWallet(networks: Networks, shortName: string, text: string): Wallet {
  const network = findNetwork(networks, shortName)
  if (!network) {
    const known = [...networks.keys()].join(', ') || 'none'
    throw new ValidationError(`wallet: there is no network "${shortName}" in the configuration (there: ${known})`)
  }
  try {
    return { network: network.shortName, address: parseWallet(network, text, network) }
  } catch (error) {
    throw error instanceof ValidationError ? new ValidationError(`wallet: ${error.message}`) : error
  }
}

type WalletNetwork = Pick<Network, 'name' | 'family'> & { tokens: readonly { address: string }[] }

/**
 * The address in its checksummed form.
 * @param configured - Undefined for a network that is known and not configured yet: only contracts that are the same on every
 *   network are refused.
 * @throws {ValidationError}
 */
export function parseWallet(network: WalletNetwork, text: string, configured?: Network): string {
  const family = familyOf(network)
  const address = family.parseAddress(text)
  if (!address) {
    const isMistyped = family.hasAddressForm(text)
    const why = isMistyped ? 'its checksum is wrong, copy it again' : `it must be ${family.addressFormat}`
    throw new ValidationError(`"${text.slice(0, 60)}" is not an address of ${network.name}: ${why}`)
  }
  const is = (other: string) => family.isSameAddress(other, address)
  if (is(family.zeroAddress)) throw new ValidationError('the zero address is not a wallet')
  if (network.tokens.some((token) => is(token.address))) {
    throw new ValidationError(`${address} is the address of a token, not of a wallet`)
  }
  if (family.isContractOfOurs(address, configured)) {
    throw new ValidationError(`${address} is a contract of this service, not a wallet`)
  }
  return address
}

/** @throws {ValidationError} when there is no such merchant. */
export async function readWallets(db: Db, merchant: string): Promise<Wallet[]> {
  return await db.read(async (tx) => {
    if (!(await hasAccount(tx, merchant as MerchantId))) throw new ValidationError(`there is no merchant "${merchant}"`)
    return await loadWallets(tx, merchant as MerchantId)
  })
}

/**
 * Sets the wallet of future payments. Existing payments keep theirs, which is part of the deposit address and
 * of the splitter's terms.
 * @returns the wallet before on each network, null where there was none.
 * @throws {ValidationError} and changes nothing, when one of them is not right.
 */
export async function setWallets(
  { db, networks }: { db: Db; networks: Networks },
  merchant: string,
  wallets: ReadonlyMap<string, string>,
): Promise<(Wallet & { before: string | null })[]> {
  const checked = [...wallets].map(([network, address]) => checkWallet(networks, network, address))
  return await db.write(async (tx) => {
    const id = merchant as MerchantId
    if (!(await hasAccount(tx, id))) throw new ValidationError(`there is no merchant "${merchant}"`)
    const before = await loadWallets(tx, id)
    for (const { network, address } of checked) await saveWallet(tx, id, network, address)
    return checked.map((wallet) => ({
      ...wallet,
      before: before.find(({ network }) => network === wallet.network)?.address ?? null,
    }))
  })
}
