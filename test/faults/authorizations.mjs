// Whose an authorization is, what somebody else’s transaction means for it, and who may wait.

/** @type {import('./faults.mjs').Fault[]} */
export const authorizations = [
  {
    name: 'A later presenter takes a failed proof',
    file: 'bff/src/checkout/authorization/authorize.ts',
    from: `      verifyPresenter(known, presenter)
      return undefined`,
    to: '      return undefined',
    test: 'bff/src/checkout/authorization/authorize-rules.test.ts',
    fails: 'that is failed is its presenter’s alone',
  },
  {
    name: 'Payer and nonce alone are a proof',
    file: 'bff/src/checkout/authorization/authorize.ts',
    from: "if (own.kind !== 'transaction' && known.data !== own.data) throw presentedBefore()",
    to: '',
    test: 'bff/src/checkout/authorization/authorize-rules.test.ts',
    fails: 'other data under the same payer and nonce is refused',
  },
  {
    name: 'A node that does not answer drops a stranger’s transaction',
    file: 'bff/src/checkout/authorization/authorize.ts',
    from: ".catch(() => 'done')",
    to: '.catch(() => undefined)',
    test: 'bff/src/checkout/authorization/authorize-rules.test.ts',
    fails: 'counts while it is on the chain, and while no node answers',
  },
  {
    name: 'A stranger’s transaction that is gone still pays',
    file: 'bff/src/checkout/authorization/authorize.ts',
    from: "(await authorizer.receipt(known.txId).catch(() => 'done')) === 'done'",
    to: 'known.txId',
    test: 'bff/src/checkout/authorization/authorize-rules.test.ts',
    fails: 'is forgotten when its receipt is',
  },
  {
    name: 'A client has its server’s limit',
    file: 'bff/src/checkout/authorization/authorize.ts',
    from: 'isByServer: asking.client === null',
    to: 'isByServer: true',
    test: 'bff/src/checkout/authorization/authorize-rules.test.ts',
    fails: 'is a client’s own, who brings them itself',
  },
  {
    name: 'All requests may wait for their transactions',
    file: 'bff/src/checkout/authorization/authorize.ts',
    from: "if (!waits.take(asker)) return { state: 'pending', txId: null }",
    to: 'waits.take(asker)',
    test: 'bff/src/checkout/authorization/authorize-rules.test.ts',
    fails: 'to more requests than may wait',
  },
  {
    name: 'An unreadable settlement of another payment’s proof stays open',
    file: 'bff/src/checkout/authorization/authorize.ts',
    from: 'return isOfAnother ? undefined : {',
    to: 'return {',
    test: 'bff/src/checkout/authorization/authorize-rules.test.ts',
    fails: 'but not that of another payment’s authorization',
  },
  {
    name: 'All requests may wait for token accounts',
    file: 'bff/src/checkout/authorization/token-account-waits.ts',
    from: 'if (!shares.take({ client, merchantId })) return false',
    to: 'shares.take({ client, merchantId })',
    test: 'bff/src/checkout/authorization/token-account-waits.test.ts',
    fails: 'payments at most, and for another when one of them has ended',
  },
  {
    name: 'Each request polls a payment’s token account',
    file: 'bff/src/checkout/authorization/token-account-waits.ts',
    from: 'if (shared) return await shared',
    to: '',
    test: 'bff/src/checkout/authorization/token-account-waits.test.ts',
    fails: 'all requests for one payment share its wait',
  },
  {
    name: 'A former token is offered to agents on Solana',
    file: 'bff/src/checkout/x402/transaction-scheme.ts',
    from: 'return token?.address === tokenAddress ?',
    to: 'return token !== undefined ?',
    test: 'bff/src/checkout/x402/transaction-scheme.test.ts',
    fails: 'offers the token that the network has now, and a former one only to finish its payment',
  },
  {
    name: 'An authorization whose final transaction a reorg took is never sent again',
    file: 'bff/src/payment/store/authorization-store.ts',
    from: `set state = 'queued', transaction_id = null
       where transaction_id = \${transactionId} and state in ('sent', 'confirmed')`,
    to: `set state = 'queued', transaction_id = null
       where transaction_id = \${transactionId} and state = 'sent'`,
    test: 'bff/src/payment/authorization-usage.test.ts',
    fails: 'one process sends an authorization; what became of its transaction moves that one alone',
  },
  {
    name: 'An authorization that a reorg made fail stays confirmed',
    file: 'bff/src/payment/store/authorization-store.ts',
    from: `reason = \${isDone ? null : 'The transaction was reverted.'}
       where transaction_id = \${transactionId} and state in ('sent', 'confirmed')`,
    to: `reason = \${isDone ? null : 'The transaction was reverted.'}
       where transaction_id = \${transactionId} and state = 'sent'`,
    test: 'bff/src/payment/authorization-usage.test.ts',
    fails: 'one process sends an authorization; what became of its transaction moves that one alone',
  },
  {
    name: 'A proof for a token that the shop no longer takes is sent',
    file: 'bff/src/checkout/x402/x402-payments.ts',
    from: `if (isFormer) {
`,
    to: `if (false) {
`,
    test: 'bff/src/checkout/x402/transaction-scheme.test.ts',
    fails: 'one for a former token is neither verified nor settled',
  },
  {
    name: 'A proof counts as good before there is an account for its money',
    file: 'bff/src/checkout/x402/x402-payments.ts',
    from: 'await offer.scheme.prepare(offer.payment, null)',
    to: '',
    test: 'bff/src/checkout/x402/transaction-scheme.test.ts',
    fails: 'is verified only once its token account is there',
  },
  {
    name: 'A call that took too long lets a third one in beside its follower',
    file: 'bff/src/checkout/x402/settlement-store.ts',
    from: 'where payment_id = ${id} and call_id = ${callId}`',
    to: "where payment_id = ${id} and ${callId} <> ''`",
    test: 'bff/src/checkout/x402/facilitator.test.ts',
    fails: 'a call that outlived its time does not end the one that took its place',
  },
  {
    name: 'One client of a server takes all waits for money',
    file: 'bff/src/checkout/x402/x402-payments.ts',
    from: 'outcomeWithin(payment, options.asker, leftMs',
    to: 'outcomeWithin(payment, options.client, leftMs',
    test: 'bff/src/checkout/x402/transaction-scheme.test.ts',
    fails: 'counts for the client that a server names',
  },
  {
    name: 'A repeat that is checked while its first attempt is stored is refused because of itself',
    file: 'bff/src/checkout/authorization/authorization-bounds.ts',
    from: 'if ((await findAuthorization(tx, checked))?.id === other.id) return',
    to: '',
    test: 'bff/src/checkout/authorization/authorization-bounds.test.ts',
    fails: 'a repeat is not refused because of itself when its first attempt is stored while it is checked',
  },
]
