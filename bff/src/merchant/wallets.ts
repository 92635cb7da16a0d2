import { depositsOf, familyOf } from '../chain/index.ts'
import { PaymentError, ValidationError } from '../core/errors.ts'
import { findNetwork, type Network, type Networks } from '../core/families.ts'
import { shownAddress } from '../core/shown-address.ts'
import type { Db, Tx } from '../db/db.ts'
import type { MerchantId } from '../payment/payment.ts'
import { hasAccount, loadWallets, type Wallet } from './account-store.ts'
import { type Credential, saveWallet } from './merchant-store.ts'

/** Why a text certainly is not a wallet that money can be sent to. */
type WalletFault = 'format' | 'checksum' | 'zero' | 'token' | 'contract'

/** A settlement wallet in checksummed form. Money sent to a wrong one is lost, so a text that certainly is no wallet is refused. */
export function parseWallet(network: Network, text: string): { address: string } | { fault: WalletFault } {
  const family = familyOf(network)
  const address = family.parseAddress(text)
  if (!address) return { fault: family.hasAddressForm(text) ? 'checksum' : 'format' }
  const is = (other: string) => family.isSameAddress(other, address)
  if (is(family.zeroAddress)) return { fault: 'zero' }
  if (network.tokens.some((token) => is(token.address))) return { fault: 'token' }
  return family.isContractOfOurs(address, network) ? { fault: 'contract' } : { address }
}

/**
 * Like `parseWallet`, for a configured network by name.
 * @throws {ValidationError} with the reason.
 */
export function checkWallet(networks: Networks, shortName: string, text: string): Wallet {
  const network = findNetwork(networks, shortName)
  if (!network) {
    const known = [...networks.keys()].join(', ') || 'none'
    throw new ValidationError(`wallet: there is no network "${shortName}" in the configuration (there: ${known})`)
  }
  const rules = depositsOf(network)
  if (rules.isDirect) {
    const account = rules.parseAccount(network, text)
    if ('fault' in account) throw new ValidationError(`wallet: ${account.fault}`, account.code)
    return { network: network.shortName, ...account }
  }
  const parsed = parseWallet(network, text)
  if ('address' in parsed) return { network: network.shortName, address: parsed.address, source: null }
  const shown = shownAddress(text)
  const noAddress = `"${shown}" is not an address of ${network.name}`
  const reasons: Record<WalletFault, string> = {
    format: `${noAddress}: it must be ${familyOf(network).addressFormat}`,
    checksum: `${noAddress}: its checksum is wrong, copy it again`,
    zero: 'the zero address is not a wallet',
    token: `${shown} is the address of a token, not of a wallet`,
    contract: `${shown} is a contract of this service, not a wallet`,
  }
  throw new ValidationError(`wallet: ${reasons[parsed.fault]}`)
}

/** The merchant's wallet, if it can be paid; undefined when there is none, or it does not fit the network's kind of deposits. */
export function payableWallet(
  { wallets, sources }: Pick<Credential, 'wallets' | 'sources'>,
  network: Network,
): string | undefined {
  const rules = depositsOf(network)
  const isUsable = !rules.isDirect || rules.isSource(sources.get(network.shortName) ?? '')
  return isUsable ? wallets.get(network.shortName) : undefined
}

export const walletMissing = ({ name, shortName }: Network) =>
  new ValidationError(`No settlement wallet is configured for ${name} (${shortName}).`, 'WALLET_MISSING')

/**
 * Runs in the commit that stores a payment to the caller's wallet: its create may have waited for a price, a quote or a node,
 * and the caller is cached for a second.
 * @throws {PaymentError} NOT_READY when the wallet was replaced meanwhile.
 */
export async function verifyWallet(
  tx: Tx,
  { merchantId, wallets, sources }: Pick<Credential, 'merchantId' | 'wallets' | 'sources'>,
  network: string,
): Promise<void> {
  const now = (await loadWallets(tx, merchantId)).find((wallet) => wallet.network === network)
  if (now?.address === wallets.get(network) && (now?.source ?? undefined) === sources.get(network)) return
  const message = `The merchant's wallet on ${network} was replaced a moment ago; try again.`
  throw new PaymentError('NOT_READY', message, { retryAfterSeconds: 1 })
}

/** @throws {ValidationError} when there is no such merchant. */
export async function readWallets(db: Db, merchant: string): Promise<Wallet[]> {
  return await db.read(async (tx) => {
    if (!(await hasAccount(tx, merchant as MerchantId))) throw new ValidationError(`there is no merchant "${merchant}"`)
    return await loadWallets(tx, merchant as MerchantId)
  })
}

/**
 * Sets the wallets for future payments. Existing payments keep theirs, which is part of the deposit address and of the
 * splitter's terms.
 * @returns for each network the wallet before, null where there was none.
 * @throws {ValidationError} when one of the wallets is wrong; then nothing changes.
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
    for (const wallet of checked) await saveWallet(tx, id, wallet)
    return checked.map((wallet) => ({
      ...wallet,
      before: before.find(({ network }) => network === wallet.network)?.address ?? null,
    }))
  })
}
