// Transactions of customers whose fees the service pays, and what is said of a proof that was sent.

/** @type {import('./faults.mjs').Fault[]} */
export const sponsored = [
  {
    name: 'The fee payer pays for transfers that their owner has not signed',
    file: 'bff/src/chain/solana/relay/check-transaction.ts',
    from: "if (named.owner?.pubkey.toBase58() !== payer) return invalid('must move the money of its signer')",
    to: '',
    test: 'bff/src/chain/solana/relay/check-transaction.test.ts',
    fails:
      'is refused with the money of somebody who has not signed, which the chain would refuse at the fee payer’s cost',
  },
  {
    name: 'Two wallet payments of one customer share a transaction',
    file: 'bff/src/chain/solana/relay/check-transaction.ts',
    from: "if (mode !== 'deposit') invalid('must have one memo, the id of the payment')",
    to: '',
    test: 'bff/src/chain/solana/relay/check-transaction.test.ts',
    fails: 'is refused without its id as the only memo, which alone tells two payments of one customer apart',
  },
  {
    name: 'A transaction is taken that lands after its payment',
    file: 'bff/src/chain/solana/relay/check-transaction.ts',
    from: 'if (endsAtMs < nowMs + sendWithinMs / 2)',
    to: 'if (endsAtMs < nowMs)',
    test: 'bff/src/chain/solana/relay/check-transaction.test.ts',
    fails: 'is sent within 40 seconds, and refused when fewer than 20 are left',
  },
  {
    name: 'A customer signs a transaction to a merchant whose token account does not exist',
    file: 'bff/src/chain/solana/relay/sponsored-transaction.ts',
    from: 'transfers.recipients.some((_, index) => recipients[index]?.token === undefined)',
    to: 'recipients[0]?.token === undefined',
    test: 'bff/src/chain/solana/relay/sponsored-transaction.test.ts',
    fails: 'nothing is signed before the token accounts of all recipients exist',
  },
  {
    name: 'A wallet pays a test payment with real tokens',
    file: 'bff/src/chain/solana/relay/sponsored-transaction.ts',
    from: 'payment.isTest ? 0n : signableAmount(payment)',
    to: 'signableAmount(payment)',
    test: 'bff/src/chain/solana/relay/sponsored-transaction.test.ts',
    fails: 'no transaction pays what is a test, paid already or over',
  },
  {
    name: 'A merchant’s share of simulations has no bound',
    file: 'bff/src/chain/solana/relay/solana-authorizer.ts',
    from: 'if (!simulations.take(asker)) throw tooManySignatures()',
    to: '',
    test: 'bff/src/chain/solana/relay/solana-authorizer.test.ts',
    fails: 'a client has 400 reads of accounts and 60 simulations a minute, and others go on',
  },
  {
    name: 'A proof that was sent is called refused where too many wait',
    file: 'bff/src/checkout/x402/x402-payments.ts',
    from: "if (error instanceof PaymentError && error.code === 'TOO_MANY_WAITS') return 'pending'",
    to: '',
    test: 'bff/src/checkout/x402/transaction-scheme.test.ts',
    fails: 'is on its way where too many wait for payments: it was sent, and a repeat says what became of it',
  },
]
