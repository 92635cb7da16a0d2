/** The invariants, whatever the chain, nodes, strangers, customers and crashes do. Their numbers never change. */
export const sentences = {
  1: 'A transfer counts once, and one that is confirmed stands in the chain.',
  2: "A payment's sums are those of its transfers.",
  3: 'No outcome that is final is taken back.',
  4: 'Every event is stored once, without a gap.',
  5: 'A request is served once for its payment, and only for money that is there.',
  6: 'No answer says that nothing was paid, or that the authorization is no payment, where the chain has the transfer.',
  7: 'An honest chain can be read: no payment and no transfer stops the network.',
  8: 'Every transfer in the chain is in the books, in time or late as the clock of its block says.',
  9: 'Money in is money out and money still there, for each address, to the unit.',
  10: 'A paid payment gives merchant and platform together at least what is accepted as payment.',
  11: 'Nothing is due for long while its means are there: what is paid is swept, and what is refundable is refunded.',
  12: 'Books, export and month say what the wallets have received.',
  13: 'The books and the chain reconcile.',
  14: 'Who paid the relay in time has paid, however slow the bridge is.',
  15: 'Who paid in time by a proof is served, whoever submitted it.',
  16: 'A proof that nobody signed serves nobody.',
  17: 'A wallet payment is paid by its own terms, in time, and by nothing else.',
  18: 'No address is given to two payments, whatever kind of address there was before.',
  19: "Money to an address of the merchant's own wallet is the merchant's at once, and the service sends none of it.",
  20: 'What pays a refund from the merchant is counted for a refund to that address, once, and nothing else is.',
  21: 'Refunds from the merchant and the payment say the same, and no more is refunded or kept than the merchant has.',
} as const

/** Steps shown in the message of a failed life. */
const toldMax = 20

/** An invariant that does not hold, and where. */
export class InvariantError extends Error {
  readonly number: keyof typeof sentences
  constructor(number: keyof typeof sentences, detail: string) {
    super(`Invariant ${number}: ${sentences[number]} ${detail}`)
    this.number = number
  }

  /** Adds the last steps to the message. */
  tell(steps: readonly object[]): void {
    const last = steps.slice(-toldMax).map((step) => JSON.stringify(step))
    this.message += `\nThe last of ${steps.length} steps:\n${last.join('\n')}`
  }
}

/** @throws {InvariantError} */
export function verify(number: keyof typeof sentences, isTrue: boolean, detail: () => string): void {
  if (!isTrue) throw new InvariantError(number, detail())
}
