import { type BaseUnits, baseUnits } from '../../../core/money.ts'
import { sql, type Tx } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'

/** A token with more at an unwatched address than the books say. */
export type LateSearch = {
  id: PaymentId
  /** Lower case. */
  token: string
  /** The next block to read for the transfers, null when the search is over; and the last one. */
  fromBlock: number | null
  toBlock: number
  /** The address's balance, and the part of it in the books. */
  balance: BaseUnits
  inBooks: BaseUnits
  /** Rounds that found the same balance, including this search's. */
  rounds: number
}

type SearchRow = {
  id: PaymentId
  token: string
  from_block: number | null
  to_block: number
  balance: string
  in_books: string
  rounds: number
}

function fromRow({ id, token, rounds, ...row }: SearchRow): LateSearch {
  const amounts = { balance: baseUnits(row.balance), inBooks: baseUnits(row.in_books) }
  return { id, token, rounds, fromBlock: row.from_block, toBlock: row.to_block, ...amounts }
}

/** The searches for the payments on one network, including finished ones: at most one per token. */
export async function searchesOf(tx: Tx, network: string, ids: readonly PaymentId[]): Promise<LateSearch[]> {
  const rows = await tx.all<SearchRow>(sql`
      select payment_id as id, token, from_block, to_block, balance, in_books, rounds
        from late_searches where network = ${network} and payment_id in ${ids}`)
  return rows.map(fromRow)
}

export async function saveSearch(tx: Tx, network: string, search: LateSearch): Promise<void> {
  const { id, token, fromBlock, toBlock, balance, inBooks, rounds } = search
  tx.write(sql`
      insert into late_searches (network, payment_id, token, from_block, to_block, balance, in_books, rounds, failures)
      values (${network}, ${id}, ${token}, ${fromBlock}, ${toBlock}, ${String(balance)}, ${String(inBooks)}, ${rounds}, 0)
      on conflict (network, payment_id, token) do update
         set from_block = excluded.from_block, to_block = excluded.to_block, balance = excluded.balance,
             in_books = excluded.in_books, rounds = excluded.rounds`)
}

/** An unfinished search, with its deposit; network and token are the payment's. */
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

/** Those last refused by the nodes come last, the others in the order of their next block; at most `limit`. */
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

/** The blocks before `nextBlock` were read; null: all were. */
export async function moveSearch(tx: Tx, network: string, { id, token }: SearchKey, nextBlock: number | null) {
  tx.write(sql`
      update late_searches set from_block = ${nextBlock}, failures = 0
       where network = ${network} and payment_id = ${id} and token = ${token}`)
}

/** The nodes refused the logs: other searches come first. */
export async function postponeSearch(tx: Tx, network: string, { id, token }: SearchKey): Promise<void> {
  tx.write(sql`
      update late_searches set failures = failures + 1
       where network = ${network} and payment_id = ${id} and token = ${token}`)
}
