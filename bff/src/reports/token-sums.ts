import { add, type BaseUnits, zero } from '../core/money.ts'

type Token = { network: string; currency: string; tokenDecimals: number }

/** Sums by network and token: counts, and amounts in base units. */
type TokenSums<Count extends string, Amount extends string> = Token & Record<Count, number> & Record<Amount, BaseUnits>

export const tokenKey = ({ network, currency, tokenDecimals }: Token): string =>
  `${network} ${currency} ${tokenDecimals}`

/** Declares the columns of one report once, for adding up its rows and for showing them. */
export function sumColumns<Count extends string, Amount extends string>(
  counts: readonly Count[],
  amounts: readonly Amount[],
) {
  type Sums = TokenSums<Count, Amount>

  function addTo(total: Sums, row: Sums): void {
    const [numbers, units] = [total as Record<string, number>, total as Record<string, BaseUnits>]
    for (const name of counts) numbers[name] = total[name] + row[name]
    for (const name of amounts) units[name] = add(total[name], row[name])
  }

  return {
    /** The amounts of an empty row. */
    none: Object.fromEntries(amounts.map((name) => [name, zero])) as Record<Amount, BaseUnits>,
    /** Adds up the rows of each key, in the order of the keys. */
    totals<Row extends Sums>(rows: readonly Row[], keyOf: (row: Row) => string = tokenKey): Row[] {
      const totals = new Map<string, Row>()
      for (const row of rows) {
        const total = totals.get(keyOf(row))
        if (total === undefined) totals.set(keyOf(row), { ...row })
        else addTo(total, row)
      }
      return [...totals].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, total]) => total)
    },
    /** The row in the API's form. */
    view(row: Sums) {
      const numbers = Object.fromEntries(counts.map((name) => [name, row[name] as number])) as Record<Count, number>
      const texts = Object.fromEntries(amounts.map((name) => [name, String(row[name])])) as Record<Amount, string>
      return { network: row.network, currency: row.currency, decimals: row.tokenDecimals, ...numbers, ...texts }
    },
  }
}
