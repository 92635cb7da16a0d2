// Where x402 says whether a proof has paid.

const proofs = { file: 'bff/src/checkout/x402/x402-payments.ts', test: 'bff/src/checkout/x402/settled-proof.test.ts' }

/** @type {import('./faults.mjs').Fault[]} */
export const settledProofs = [
  {
    ...proofs,
    name: 'A client whose late money can still pay is told that it came too late, and pays again',
    from: "return canBePaidLate(found) ? 'pending' : outcomeOf(found)",
    to: 'return outcomeOf(found)',
    fails: 'a proof whose transfer came late is pending while late money can still pay the payment',
  },
  {
    ...proofs,
    name: 'A known proof is good for another amount than it signs',
    from: 'if (await parsed.isKnown(null)) {\n        verifyValue(proof, parsed)\n',
    to: 'if (await parsed.isKnown(null)) {\n',
    fails: 'a known proof is neither good nor settled for another amount than it signs',
  },
  {
    ...proofs,
    name: 'A known proof is settled for another amount than it signs',
    from: 'if (await parsed.isKnown(options.presenter)) {\n      verifyValue(proof, parsed)\n',
    to: 'if (await parsed.isKnown(options.presenter)) {\n',
    fails: 'a known proof is neither good nor settled for another amount than it signs',
  },
  {
    ...proofs,
    name: 'A proof that somebody else settled counts for another amount than it signs',
    from: '      verifyValue(proof, parsed)\n      const settlement',
    to: '      const settlement',
    fails: 'what somebody else settled by a proof counts only for the amount that the proof signs',
  },
  {
    ...proofs,
    name: 'A client waits for the block of a proof that is not sent yet',
    from: "isIn ? await outcomeWithin(payment, options.asker, leftMs, options.signal) : 'pending'",
    to: 'await outcomeWithin(payment, options.asker, leftMs, options.signal)',
    fails: 'only a proof that a block contains is waited for',
  },
  {
    ...proofs,
    name: 'The time that the sending of a proof took is waited once more',
    from: 'options.waitMs - (performance.now() - startedAtMs)',
    to: 'options.waitMs',
    fails: 'the time that the sending took is not waited once more',
  },
  {
    ...proofs,
    name: 'The node calls for proofs of agents’ payments are counted as the merchant’s',
    from: 'if (isOfAgent) await parsed.verify(options)',
    to: 'if (isOfAgent) await parsed.verify()',
    fails: 'the node calls that verify a proof for an agent’s payment are counted as its client’s',
  },
  {
    name: 'A call that waits to its end loses its turn to whoever reads its proof on the chain',
    file: 'bff/src/checkout/x402/facilitator.ts',
    from: 'endsAtMs: nowMs + waitMs + spareMs',
    to: 'endsAtMs: nowMs + waitMs',
    test: 'bff/src/checkout/x402/facilitator.test.ts',
    fails: 'who reads a proof on the chain while its client waits has no success by it',
  },
]
