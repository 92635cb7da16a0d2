import type { Db } from '../../db/db.ts'
import { type GivenAddress, givenAddresses } from '../../merchant/given-address-store.ts'
import { addressView } from '../../merchant/given-address-view.ts'
import type { MerchantId } from '../../payment/payment.ts'
import { writeCsv } from './export-csv.ts'

/** Selects one merchant's addresses on one network. */
type Whose = { merchantId: MerchantId; network: string }

/** The most addresses in memory, and in a list on a terminal. */
const pageMax = 500

const none = { source: '', number: 0 }

export const addressColumns: readonly string[] = [
  'path',
  'address',
  'received',
  'currency',
  'outcome',
  'payment',
  'account',
]

export const addressRow = (given: GivenAddress): string[] => Object.values(addressView(given))

/** The first given addresses, ordered by number. */
export async function firstAddresses(db: Db, whose: Whose): Promise<{ shown: GivenAddress[]; hasMore: boolean }> {
  const found = await db.read((tx) => givenAddresses(tx, whose, none, pageMax + 1))
  return { shown: found.slice(0, pageMax), hasMore: found.length > pageMax }
}

/**
 * Writes all given addresses into a new file, with the paths by which a wallet finds their keys.
 * @throws {OperatorError} when the file exists.
 * @returns the number of addresses.
 */
export async function exportAddresses(db: Db, whose: Whose, path: string): Promise<number> {
  let after: { source: string; number: number } = none
  return await writeCsv(path, addressColumns, async () => {
    const page = await db.read((tx) => givenAddresses(tx, whose, after, pageMax))
    after = page.at(-1) ?? after
    return page.map(addressRow)
  })
}
