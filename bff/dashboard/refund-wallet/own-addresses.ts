import { parseUnits } from '../../../widget/src/wallet/units.ts'
import type { MerchantRefund, WalletAddresses } from '../../src/api-types.ts'
import { request } from '../api/client.ts'
import { readAllAddresses } from '../ui/address-export.ts'

/** What is asked of the service: tests answer it themselves. */
export type AddressBook = {
  all(network: string): ReturnType<typeof readAllAddresses>
  held(network: string, before: number | null): Promise<WalletAddresses>
}

/** Pages with balances that are read, of 50 addresses each: every one is a call to a node. */
const heldPagesMax = 10

const addressBook: AddressBook = {
  all: readAllAddresses,
  held: (network, before) =>
    request<WalletAddresses>(`dashboard/wallets/${network}/addresses`, { query: { before, balances: true } }),
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/**
 * Whether the account is an address of the merchant's own wallet that a payment was given. Of a wallet with more addresses than
 * one file has the service knows it, which refuses a stranger's by name.
 * @throws {Fault}
 */
export async function isOwnAddress(network: string, account: string, book = addressBook): Promise<boolean> {
  const { addresses, isCut } = await book.all(network)
  return isCut || addresses.some(({ address }) => isSame(address, account))
}

type Needed = Pick<MerchantRefund, 'network' | 'currency' | 'tokenDecimals' | 'remainingUnits'>

/**
 * The newest address of the merchant's own wallet that holds enough for all of the refunds; `none`: all were read and no single
 * one does; `unknown`: there are more than are read, or no node answers.
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
