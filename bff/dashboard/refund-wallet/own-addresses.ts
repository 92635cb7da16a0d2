import { parseUnits } from '../../../widget/src/wallet/units.ts'
import type { MerchantRefund, WalletAddresses } from '../../src/api-types.ts'
import { request } from '../api/client.ts'

/** The requests to the service; replaced in tests. */
export type AddressBook = {
  at(network: string, address: string): Promise<WalletAddresses>
  held(network: string, before: number | null): Promise<WalletAddresses>
}

/** Maximum pages of 50 addresses read with balances: each address costs a call to a node. */
const heldPagesMax = 10

const addressBook: AddressBook = {
  at: (network, address) =>
    request<WalletAddresses>(`dashboard/wallets/${network}/addresses`, { query: { address, balances: false } }),
  held: (network, before) =>
    request<WalletAddresses>(`dashboard/wallets/${network}/addresses`, { query: { before, balances: true } }),
}

/**
 * Whether the account is an address of the merchant's own wallet that was assigned to a payment, including those of earlier accounts.
 * @throws {Fault}
 */
export async function isOwnAddress(network: string, account: string, book = addressBook): Promise<boolean> {
  return (await book.at(network, account)).addresses.length > 0
}

type Needed = Pick<MerchantRefund, 'network' | 'currency' | 'tokenDecimals' | 'remainingUnits'>

/**
 * The newest address of the merchant's own wallet that holds enough for all of the refunds. `none`: all were read, and no single one does.
 * `unknown`: there are more addresses than are read, or no node responds.
 * @throws {Fault}
 */
export async function ownHolder(
  refunds: readonly Needed[],
  book = addressBook,
): Promise<{ address: string } | 'none' | 'unknown'> {
  const network = refunds[0]?.network ?? ''
  let before: number | null = null
  for (let page = 0; page < heldPagesMax; page++) {
    const { addresses, next, readAt }: WalletAddresses = await book.held(network, before)
    if (addresses.length > 0 && readAt === null) return 'unknown'
    const holder = addresses.find(({ balances }) => holdsEnough(balances ?? [], refunds))
    if (holder) return { address: holder.address }
    if (next === null) return 'none'
    before = next
  }
  return 'unknown'
}

function holdsEnough(balances: readonly { currency: string; amount: string }[], refunds: readonly Needed[]): boolean {
  const needed = new Map<string, { sum: bigint; decimals: number }>()
  for (const { currency, tokenDecimals, remainingUnits } of refunds) {
    const sum = (needed.get(currency)?.sum ?? 0n) + BigInt(remainingUnits)
    needed.set(currency, { sum, decimals: tokenDecimals })
  }
  return [...needed].every(([currency, { sum, decimals }]) => {
    const held = balances.find((balance) => balance.currency === currency)
    return held !== undefined && parseUnits(held.amount, decimals) >= sum
  })
}
