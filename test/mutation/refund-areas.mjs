/** Refunds that the merchant's wallet pays. */

/** @type {Record<string, { files: string[], tests: string[] }>} */
export const refundAreas = {
  'merchant-refund': {
    files: [
      'bff/src/payment/merchant-refund.ts',
      'bff/src/payment/merchant-refund-ledger.ts',
      'bff/src/payment/store/merchant-refund-store.ts',
      'bff/src/payment/store/open-refund-store.ts',
      'bff/src/chain/evm/split/refund-terms.ts',
      'bff/src/chain/evm/submit/verify-refund.ts',
      'bff/src/chain/evm/watch/match-refunds.ts',
      'bff/src/checkout/merchant-refund/merchant-refunds.ts',
      'bff/src/checkout/merchant-refund/refund-prompts.ts',
      'bff/src/checkout/merchant-refund/refund-prompt-store.ts',
      'bff/src/chain/evm/submit/check-prompt.ts',
      'bff/src/checkout/merchant-refund/refund-money.ts',
    ],
    tests: [
      'bff/src/payment/merchant-refund.test.ts',
      'bff/src/chain/evm/watch/match-refunds.test.ts',
      'bff/src/checkout/merchant-refund/merchant-refunds.test.ts',
      'bff/src/checkout/merchant-refund/paid-refunds.test.ts',
      'bff/src/checkout/merchant-refund/refunds-after-reorgs.test.ts',
      'bff/src/checkout/merchant-refund/refund-prompts.test.ts',
      'bff/src/checkout/merchant-refund/unread-refund.test.ts',
      'bff/src/notice/outbox/refund-notices.test.ts',
    ],
  },
}
