import { networkDigestChars } from '../access/http/client-address.ts'
import type { OpenPaymentsMax } from '../access/limits/rate-limit.ts'
import { PaymentError } from '../core/errors.ts'
import { sql, type Tx } from '../db/db.ts'
import type { CredentialKind } from '../merchant/key-store.ts'
import { outcomeOfStatus, type PaymentId, statuses } from '../payment/payment.ts'

export const paidStatuses = statuses.filter((status) => outcomeOfStatus(status) === 'paid')

/** An estimate: most payments end within minutes. */
const retryAfterSeconds = 60

const tooManyOpen = (whose: string, max: number) =>
  new PaymentError(
    'TOO_MANY_OPEN_PAYMENTS',
    `${whose} has ${max} payments that are still open; try again when some of them have ended.`,
    { retryAfterSeconds },
  )

/** The key that creates a payment, and the digest of the client's address, which begins with that of its network. */
export type Opener = { kind: CredentialKind; id: string; client: string; isByLink: boolean }

/** A link's customer pays one payment, which the page remembers; customers who share an address may open a few more. */
const linkMax: OpenPaymentsMax = { perKey: 200, perAddress: 10 }

/** The limits for one payment link, which never exceed those for a public key. */
export function linkOpenMax(max: OpenPaymentsMax | null): OpenPaymentsMax | null {
  if (max === null) return null
  return {
    perKey: Math.min(max.perKey, linkMax.perKey),
    perAddress: Math.min(max.perAddress, linkMax.perAddress),
  }
}

/** Ends a payment before its window ends. @returns whether the payment ended. */
type ExpireEarly = (tx: Tx, id: PaymentId) => Promise<boolean>

/**
 * Limits the open payments of a public key, which anyone may hold, because each open payment is watched. There is one
 * limit for each client address and one for the key. A client at its address limit must wait; other addresses are not
 * affected. When the key is at its limit, the oldest payment of the address with the most payments, in the network with
 * the most, is ended for the new one, so that a flood ends its own payments first. Payments with detected money are not
 * ended and do not count for the key: otherwise a flood of tiny transfers could block every customer. They count for
 * their address: otherwise the same flood would lift its limit.
 * Call it in the unit of work that stores the payment, and call `saveOpener` after it.
 * @param max - Null: no limit. API key and secret have no limit.
 * @throws {PaymentError} TOO_MANY_OPEN_PAYMENTS.
 */
export async function makeRoom(
  tx: Tx,
  { kind, id, client, isByLink }: Opener,
  max: OpenPaymentsMax | null,
  expireEarly: ExpireEarly,
): Promise<void> {
  if (max === null || kind !== 'public') return
  const [ofClient, ofKey] = await Promise.all([
    tx.get<{ open: number }>(sql`
      select count(*) as open
        from (select 1 from payments
               where public_key = ${id} and client = ${client} and status = 'pending' limit ${max.perAddress}) as pending`),
    tx.get<{ open: number }>(sql`
      select count(*) as open
        from (select 1 from payments
               where public_key = ${id} and status = 'pending' and seen = '0' and late = '0' limit ${max.perKey}) as pending`),
  ])
  if ((ofClient?.open ?? 0) >= max.perAddress) throw tooManyOpen('This address', max.perAddress)
  if ((ofKey?.open ?? 0) < max.perKey) return
  const oldest = await oldestOfHeaviestClient(tx, id)
  const hasRoom = oldest !== undefined && (await expireEarly(tx, oldest))
  if (!hasRoom) throw tooManyOpen(isByLink ? 'This payment link' : 'This public key', max.perKey)
}

/** Excludes payments whose bridge has the customer's money, because that money may arrive at any moment. */
async function oldestOfHeaviestClient(tx: Tx, publicKey: string): Promise<PaymentId | undefined> {
  const row = await tx.get<{ id: PaymentId }>(sql`
      with untouched as (
        select p.number, p.id, coalesce(p.client, '') as client,
               substr(coalesce(p.client, ''), 1, ${networkDigestChars}) as network
          from payments p left join bridges b on b.payment_id = p.id
         where p.public_key = ${publicKey} and p.status = 'pending' and p.seen = '0' and p.late = '0'
           and (b.bridge_status is null or b.bridge_status in ('waiting', 'refund', 'failure')))
      select id from untouched
       where client = (
               select client from untouched
                where network = (
                        select network from untouched group by network order by count(*) desc, min(number) limit 1)
                group by client order by count(*) desc, min(number) limit 1)
       order by number limit 1`)
  return row?.id
}

/** Stores the public key and the client that created a payment, if open payments are limited. */
export async function saveOpener(tx: Tx, id: PaymentId, opener: Opener, max: OpenPaymentsMax | null): Promise<void> {
  if (max === null || opener.kind !== 'public') return
  tx.write(sql`update payments set public_key = ${opener.id}, client = ${opener.client} where id = ${id}`)
}

/** At most `limit` open payments without money, of links that have reached their payment limit. */
export async function surplusPayments(tx: Tx, limit: number): Promise<PaymentId[]> {
  const rows = await tx.all<{ id: PaymentId }>(sql`
      with open_links as (select distinct link_id from payments where status = 'pending' and link_id is not null),
           full_links as (
             select l.id from open_links o join payment_links l on l.id = o.link_id
              where l.payments_max <= (
                select count(*) from payments p where p.link_id = l.id and p.status in ${paidStatuses}))
      select id from payments
       where status = 'pending' and link_id is not null and link_id in (select id from full_links)
         and seen = '0' and late = '0'
       limit ${limit}`)
  return rows.map(({ id }) => id)
}
