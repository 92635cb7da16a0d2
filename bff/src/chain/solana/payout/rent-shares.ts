/** The rent of a 165-byte token account in lamports; returned when it is closed. */
export const tokenAccountRent = 2_039_280n

/**
 * Lamports below which no accounts of new deposits are created: enough for the accounts of three concurrent first payouts (two
 * each), and the fees of a hundred sweeps on a busy day.
 */
export const payoutReserve = 20_000_000n

/** Maximum unpaid accounts per client. */
const clientMax = 5

/**
 * Who requested an account. Key and client are null if the payment was created with API key and secret, unless the merchant's
 * server names the client.
 */
export type RentHolder = { merchantId: string; publicKey: string | null; client: string | null }

/** Number of accounts the fee payer can still create above its reserve. */
export function affordableAccounts(lamports: bigint): number {
  return lamports > payoutReserve ? Number((lamports - payoutReserve) / tokenAccountRent) : 0
}

/**
 * Selects the accounts to create, in order. Creating payments is free but uses rent that others need, so shares are limited: of
 * the possible unpaid accounts, a merchant gets half, a public key a quarter, a client an eighth and at most five; each gets at
 * least one. The customer's wallet creates the other accounts.
 * @param held - Existing accounts of unpaid deposits.
 */
export function planOpenings<Wanted extends RentHolder>(
  wanted: readonly Wanted[],
  held: readonly (RentHolder & { count: number })[],
  affordable: number,
): Wanted[] {
  const counts = new Map<string, number>()
  const countOf = (name: string) => counts.get(name) ?? 0
  const add = (one: RentHolder, count: number) => {
    for (const name of namesOf(one)) counts.set(name, countOf(name) + count)
  }
  for (const { count, ...holder } of held) add(holder, count)
  const all = affordable + held.reduce((sum, { count }) => sum + count, 0)
  const part = (share: number) => Math.max(1, Math.floor(all / share))
  const bounds = { merchant: part(2), key: part(4), client: Math.min(clientMax, part(8)) }
  const boundOf = (name: string) => bounds[name.split(' ', 1)[0] as keyof typeof bounds]
  const planned: Wanted[] = []
  for (const one of wanted) {
    if (planned.length >= affordable) break
    if (namesOf(one).some((name) => countOf(name) >= boundOf(name))) continue
    add(one, 1)
    planned.push(one)
  }
  return planned
}

/** The keys under which an account is counted: its merchant, then its key, then its client. */
function namesOf({ merchantId, publicKey, client }: RentHolder): string[] {
  const names = [`merchant ${merchantId}`]
  if (publicKey !== null) names.push(`key ${publicKey}`)
  if (client !== null) names.push(`client ${client}`)
  return names
}
