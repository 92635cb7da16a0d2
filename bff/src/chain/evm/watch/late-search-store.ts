import { sql, type Tx } from '../../../db/db.ts'
import { fixed, integer, named, orNull, parseEach, table, text, units, type ValuesOf } from '../../../db/table.ts'
import type { PaymentId } from '../../../payment/payment.ts'

const searches = table('late_searches', {
  id: named('payment_id', fixed(text<PaymentId>())),
  /** Lower case. */
  token: fixed(text()),
  /** The next block to search, null once finished; and the last block. */
  fromBlock: orNull(integer()),
  toBlock: integer(),
  /** The address's balance, and the part of it that the books have. */
  balance: units(),
  inBooks: units(),
  /** Rounds that found the same balance, including this search's. */
  rounds: integer(),
})

/** A token of which an unwatched address holds more than the books have. */
export type LateSearch = ValuesOf<typeof searches>

/**
 * The searches for the payments on one network, including finished ones; at most one per payment and token. One that cannot be
 * read is left out: a new search replaces it.
 */
export async function searchesOf(tx: Tx, network: string, ids: readonly PaymentId[]): Promise<LateSearch[]> {
  const rows = await tx.all<object>(sql`
      select * from late_searches where network = ${network} and payment_id in ${ids}`)
  return parseEach(rows, searches.parse, () => undefined)
}

export async function saveSearch(tx: Tx, network: string, search: LateSearch): Promise<void> {
  tx.write(sql`
      insert into late_searches (network, failures, ${searches.names}) values (${network}, 0, ${searches.values(search)})
      on conflict (network, payment_id, token) do update set ${searches.excluded}`)
}

/** An unfinished search, with its deposit. `home` and `homeToken`: the payment's network and token. */
export type OpenSearch = {
  id: PaymentId
  token: string
  fromBlock: number
  toBlock: number
  address: string
  home: string
  homeToken: string
  rounds: number
}

/** Searches recently refused by the nodes come last, the others in order of their next block; at most `limit`. */
export async function openSearches(tx: Tx, network: string, limit: number): Promise<OpenSearch[]> {
  return await tx.all<OpenSearch>(sql`
      select s.payment_id as "id", s.token, s.from_block as "fromBlock", s.to_block as "toBlock",
             p.deposit_address as "address", p.network as "home", lower(p.token_address) as "homeToken",
             s.rounds
        from late_searches s join payments p on p.id = s.payment_id
       where s.network = ${network} and s.from_block is not null
       order by s.failures, s.from_block limit ${limit}`)
}

type SearchKey = Pick<OpenSearch, 'id' | 'token'>

/** Records that the blocks before `nextBlock` were read; null: all were. */
export async function moveSearch(tx: Tx, network: string, { id, token }: SearchKey, nextBlock: number | null) {
  tx.write(sql`
      update late_searches set from_block = ${nextBlock}, failures = 0
       where network = ${network} and payment_id = ${id} and token = ${token}`)
}

/** Records that the nodes refused the logs: other searches come first. */
export async function postponeSearch(tx: Tx, network: string, { id, token }: SearchKey): Promise<void> {
  tx.write(sql`
      update late_searches set failures = failures + 1
       where network = ${network} and payment_id = ${id} and token = ${token}`)
}
