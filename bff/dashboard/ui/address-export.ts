import type { WalletAddresses } from '../../src/api-types.ts'
import { request } from '../api/client.ts'
import { csvText } from './csv.ts'

export type WalletAddress = WalletAddresses['addresses'][number]

/** Maximum addresses in one file. The command `wallets addresses` writes all. */
export const addressesMax = 5_000

/** The service's maximum page size without balances. */
const pageMax = 500

export type ExportedAddresses = { addresses: WalletAddress[]; isCut: boolean }

/** Reads the addresses of a network in wallet order, without balances. @throws {Fault} */
export async function readAllAddresses(network: string, read = readPage): Promise<ExportedAddresses> {
  const addresses: WalletAddress[] = []
  let before: number | null = null
  do {
    const page: WalletAddresses = await read(network, before)
    addresses.push(...page.addresses)
    before = page.next
  } while (before !== null && addresses.length < addressesMax)
  const isCut = before !== null || addresses.length > addressesMax
  return { addresses: addresses.slice(0, addressesMax).reverse(), isCut }
}

const readPage = (network: string, before: number | null): Promise<WalletAddresses> =>
  request<WalletAddresses>(`dashboard/wallets/${network}/addresses`, {
    query: { before, limit: pageMax, balances: false },
  })

/** The same columns as the command `wallets addresses` writes. */
const addressColumns = ['path', 'address', 'received', 'currency', 'outcome', 'payment', 'account']

export const addressCsv = (addresses: readonly WalletAddress[]): string =>
  csvText(
    addressColumns,
    addresses.map(({ path, address, received, currency, outcome, paymentId, account }) => [
      path,
      address,
      received,
      currency,
      outcome,
      paymentId,
      account,
    ]),
  )
