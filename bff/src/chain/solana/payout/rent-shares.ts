/** A token account of 165 bytes is kept for so many lamports; who closes it gets them back. */
export const tokenAccountRent = 2_039_280n

/**
 * Accounts of new deposits are made only with what the fee payer has beyond this: a first payout's two accounts at three
 * merchants at once, and the fees of a hundred sweeps on a busy day.
 */
export const payoutReserve = 20_000_000n

/** Accounts of one client that nobody has paid to, at most. */
const clientMax = 5

/** For whom an account is made. Key and client are null where the payment was created with API key and secret; the client is known where the
 * merchant's server names it. */
export type RentHolder = { merchantId: string; publicKey: string | null; client: string | null }

/** How many more accounts the fee payer can make, and leave its reserve. */
export function affordableAccounts(lamports: bigint): number {
  return lamports > payoutReserve ? Number((lamports - payoutReserve) / tokenAccountRent) : 0
}

/**
 * Which of the accounts to make, in their order. Whoever creates payments takes rent from all others, for nothing: of the accounts that
 * could be there unpaid, a merchant has half, a public key a quarter, a client an eighth, and never more than five. Each has
 * one at least. For the others the customer's wallet makes the account.
 * @param held - Accounts that are there, and that nobody has paid to.
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

/** What an account is counted by: its merchant, then its key, then its client. */
function namesOf({ merchantId, publicKey, client }: RentHolder): string[] {
  const names = [`merchant ${merchantId}`]
  if (publicKey !== null) names.push(`key ${publicKey}`)
  if (client !== null) names.push(`client ${client}`)
  return names
}
