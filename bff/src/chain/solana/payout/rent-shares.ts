/** The rent of a 165-byte token account in lamports; returned when it is closed. */
export const tokenAccountRent = 2_039_280n

/**
 * Accounts of new deposits are created only with lamports above this reserve: the accounts of three concurrent first
 * payouts (two each), and the fees of a hundred sweeps on a busy day.
 */
export const payoutReserve = 20_000_000n

/** Maximum unpaid accounts per client. */
const clientMax = 5

/**
 * The requester of an account. Key and client are null if the payment was created with API key and secret; the client
 * is known if the merchant's server names it.
 */
export type RentHolder = { merchantId: string; publicKey: string | null; client: string | null }

/** Number of accounts the fee payer can still create above its reserve. */
export function affordableAccounts(lamports: bigint): number {
  return lamports > payoutReserve ? Number((lamports - payoutReserve) / tokenAccountRent) : 0
}

/**
 * Selects the accounts to create, in order. Creating payments takes rent from all others for free: of the possible
 * unpaid accounts, a merchant has half, a public key a quarter, a client an eighth, and at most five. Each has at least
 * one. Other accounts are created by the customer's wallet.
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

/** The keys an account is counted under: its merchant, then its key, then its client. */
function namesOf({ merchantId, publicKey, client }: RentHolder): string[] {
  const names = [`merchant ${merchantId}`]
  if (publicKey !== null) names.push(`key ${publicKey}`)
  if (client !== null) names.push(`client ${client}`)
  return names
}
