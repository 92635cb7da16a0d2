// An x402 payment that is asked for again although nothing is left to pay, and what stands beside it.

const x402 = { file: 'bff/src/checkout/x402/x402-answer.ts', test: 'bff/src/checkout/x402/x402-asked-again.test.ts' }

/** @type {import('./faults.mjs').Fault[]} */
export const askedAgain = [
  {
    ...x402,
    name: 'A payment by x402 is asked for again, with nothing left to pay',
    from: "if (offer.requirements.amount === '0') return pending(c, payment.lastTxId)",
    to: '',
    fails: 'a payment whose amount was seen in full is not asked for again',
  },
  {
    ...x402,
    name: 'A refused proof is answered by asking for a payment that was seen in full',
    from: "return offer.requirements.amount !== '0' && (await",
    to: 'return (await',
    fails: 'a payment whose amount was seen in full is not asked for again',
  },
  {
    ...x402,
    name: 'A refused proof is answered by asking for a payment that has ended',
    from: "if (outcomeOf(payment) !== 'pending' || !x402.isOffered(payment)) return false",
    to: 'if (!x402.isOffered(payment)) return false',
    fails: 'a payment that has ended is not asked for again',
  },
  {
    ...x402,
    name: 'A refused proof is answered by asking for a payment that another proof is about to pay',
    from: "offer.requirements.amount !== '0' && (await offer.scheme.underWay(offer.payment)) === undefined",
    to: "offer.requirements.amount !== '0'",
    fails: 'a payment that a proof is about to pay is not asked for again',
  },
  {
    ...x402,
    name: 'A charge whose proof cannot be sent now is asked for anew',
    file: 'bff/src/checkout/x402/charge.routes.ts',
    from: 'if (!canMend(refusal) && !isPaidByOthers) throw refusal',
    to: 'if (refusal.status < 500 && !canMend(refusal) && !isPaidByOthers) throw refusal',
    fails: 'a charge whose proof cannot be sent now is not asked for anew',
  },
  {
    name: 'A fault of ours while rates are read counts as a token without a rate',
    file: 'bff/src/checkout/price.ts',
    from: `if (error instanceof PaymentError) return null
      throw error`,
    to: 'return null',
    test: 'bff/src/checkout/euro-tokens.test.ts',
    fails: 'a create fails where the reading of rates does',
  },
  {
    name: 'Books are compared with the balance of the payment’s own token alone',
    file: 'bff/src/chain/evm/movements/evm-movements.ts',
    from: 'new Set([...home, ...moved.filter((token) => token !== coinAddress)])',
    to: 'new Set(home)',
    test: 'bff/src/ops/reconcile/reconcile.test.ts',
    fails: 'a token used by no payment is still compared after it was removed from the configuration',
  },
  {
    name: 'A link that is asked for again is in the log as made again',
    file: 'bff/src/checkout/link/link.routes.ts',
    from: ', isUnchanged: isReplay })',
    to: ' })',
    test: 'bff/src/dashboard/audit/audit.test.ts',
    fails: 'a link that is asked for again is in the log as unchanged',
  },
  {
    name: 'Late money pays out a test payment that was paid before',
    file: 'bff/src/checkout/sandbox/simulate.ts',
    from: 'if (!wasPaid && isPaid(chain.payment)) await chain.confirmSweep()',
    to: 'if (isPaid(chain.payment)) await chain.confirmSweep()',
    test: 'bff/src/checkout/sandbox/sandbox-late.test.ts',
    fails: 'money that comes late to a paid test payment',
  },
  {
    name: 'A secret is bound to the beginning of its row’s id',
    file: 'bff/src/db/vault.ts',
    from: `export function createVault(key: Uint8Array, runtime: Runtime): Vault {
  return {
    seal(text, row) {
      const nonce = runtime.randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(row))
      const sealed = [cipher.update(text, 'utf8'), cipher.final()]
      return version + Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString('base64url')
    },
    open(sealed, row) {`,
    to: `export function createVault(key: Uint8Array, runtime: Runtime): Vault {
  return {
    seal(text, row) {
      row = row.slice(0, 8)
      const nonce = runtime.randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(row))
      const sealed = [cipher.update(text, 'utf8'), cipher.final()]
      return version + Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString('base64url')
    },
    open(sealed, row) {
      row = row.slice(0, 8)`,
    test: 'bff/src/db/vault.test.ts',
    fails: 'opens nothing in a row whose id begins like the right one',
  },
  {
    name: 'Money of a charge that came too late is answered as if none had come, once the shop takes no signatures',
    file: 'bff/src/checkout/x402/charge.routes.ts',
    from: "refusal.code === 'PAYMENT_NOT_OPEN' && now.takesSignatures",
    to: "refusal.code === 'PAYMENT_NOT_OPEN'",
    test: 'bff/src/checkout/x402/charge-uses.test.ts',
    fails: 'a proof whose transfer came too late is not followed for ever, and its client is asked anew',
  },
  {
    ...x402,
    name: 'A payment that was seen within the tolerance is asked for the rest',
    file: 'bff/src/payment/authorization.ts',
    from: 'const isEnough = seen >= payment.least || outcomeOf',
    to: 'const isEnough = outcomeOf',
    fails: 'a payment that was seen within the tolerance of the merchant is not asked for the rest',
  },
]
