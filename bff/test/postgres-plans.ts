import type { Sql, Tx } from '@stablecoin-checkout/bff/testing/db'

/** PostgreSQL's plans for the statements that a store runs; the store gets no rows. For tests. */
export async function plansOf(tx: Tx, ask: (tx: Tx) => Promise<unknown>): Promise<string> {
  const plans: string[] = []
  async function all<Row>({ strings: [first = '', ...rest], params }: Sql): Promise<Row[]> {
    const strings = [`explain ${first}`, ...rest] as unknown as TemplateStringsArray
    const lines = await tx.all<Record<string, string>>({ strings, params })
    plans.push(...lines.flatMap((line) => Object.values(line)))
    return []
  }
  const get = async <Row>(statement: Sql): Promise<Row | undefined> => (await all<Row>(statement))[0]
  await ask({ ...tx, all, get })
  return plans.join('\n')
}
