import type { AddressNumber } from '../chain/deposit-kind.ts'
import { sql, type Tx } from '../db/db.ts'
import type { Payment } from '../payment/payment.ts'

/**
 * Takes the next number of the merchant's addresses on the payment's network, in the commit that stores the payment. Networks
 * and merchants that name the same source share its numbers, so no address is given out twice.
 * @returns undefined when the merchant has named no source on the network, or its numbers are used up.
 */
export async function takeNumber(
  tx: Tx,
  { id, merchantId, network }: Pick<Payment, 'id' | 'merchantId' | 'network'>,
  numberMax: number,
): Promise<AddressNumber | undefined> {
  const taken = await tx.get<AddressNumber>(sql`
      update address_sources set next_number = next_number + 1
       where source = (select w.source from settlement_wallets w
                        where w.merchant_id = ${merchantId} and w.network = ${network})
         and next_number <= ${numberMax}
      returning source, next_number - 1 as "number"`)
  if (!taken) return undefined
  // The key is unique, so that even a wrong counter cannot give out an address twice.
  tx.write(sql`
      insert into given_addresses (source, number, payment_id) values (${taken.source}, ${taken.number}, ${id})`)
  return taken
}

/**
 * Names a source. The first payment of a new source gets the number 1; a known source continues where it was. After a
 * restore, the backup may lack a source and the addresses it gave out: every new source then begins after those.
 */
export async function addSource(tx: Tx, source: string): Promise<void> {
  await tx.run(sql`
      insert into address_sources (source, next_number)
      values (${source}, coalesce((select next_number from address_sources where source = ''), 1))
      on conflict (source) do nothing`)
}
