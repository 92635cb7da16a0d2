// What a merchant's wallet is asked to pay for refunds: once, by the account whose transfer is found.

const prompted = 'bff/src/checkout/merchant-refund/refund-prompts.test.ts'

/** @type {import('./faults.mjs').Fault[]} */
export const refundPrompts = [
  {
    name: 'A second wallet is asked for a refund that another may pay',
    file: 'bff/src/checkout/merchant-refund/refund-prompts.ts',
    from: 'await verifyUnprompted(tx, refund)',
    to: '',
    test: prompted,
    fails: 'a wallet is asked once: of two at a time one is refused, until the chain has what it sent',
  },
  {
    name: 'What a wallet has sent counts as rejected',
    file: 'bff/src/checkout/merchant-refund/refund-prompts.ts',
    from: 'if (isRejected && (prompt.txId !== null || prompt.batchId !== null))',
    to: 'if (false)',
    test: prompted,
    fails: 'what the wallet rejects may be asked again at once; what it has sent cannot be rejected',
  },
  {
    name: 'A nonce that was used in a block that may be replaced ends the prompt',
    file: 'bff/src/chain/evm/submit/check-prompt.ts',
    from: 'const deep = tip.number - (required ?? confirmations) + 1',
    to: 'const deep = tip.number',
    test: prompted,
    fails:
      'a transfer whose nonce was used for something else is proven to be over; before that, and of an unknown one, it is not',
  },
  {
    name: 'A prompt of a high-value refund is over with the confirmations of any other',
    file: 'bff/src/chain/evm/submit/check-prompt.ts',
    from: '(required ?? confirmations)',
    to: 'confirmations',
    test: 'bff/src/chain/evm/watch/high-value-refund.test.ts',
    fails: 'what a wallet was asked for a high-value refund is over only with its own confirmations',
  },
  {
    name: 'A prompt is over although the block of its transfer is to be read again',
    file: 'bff/src/chain/evm/submit/check-prompt.ts',
    from: 'Math.min(deep, (waiting?.from ?? deep + 1) - 1)',
    to: 'deep',
    test: 'bff/src/checkout/merchant-refund/unread-refund.test.ts',
    fails: 'a call of the splitter is not over while its block is to be read again',
  },
  {
    name: 'Any session says what the wallet of another one has answered',
    file: 'bff/src/checkout/merchant-refund/refund-prompts.ts',
    from: 'if (open.some(({ askedBy }) => askedBy !== askerOf(caller)))',
    to: 'if (false)',
    test: prompted,
    fails:
      'what the wallet answered is believed from the key that asked alone; another ends the prompt with the passkey',
  },
  {
    name: 'A wallet that can no longer send keeps a refund from being cancelled',
    file: 'bff/src/checkout/merchant-refund/merchant-refund.routes.ts',
    from: 'await refundPrompts.endOver((await merchantRefunds.own(caller, id)).refund, stopping)',
    to: '',
    test: prompted,
    fails: 'a call of the splitter is over once the chain is past its deadline',
  },
  {
    name: 'A refund is cancelled while a wallet may be paying it',
    file: 'bff/src/checkout/merchant-refund/merchant-refunds.ts',
    from: 'if (await openPromptOf(tx, id))',
    to: 'if (false)',
    test: prompted,
    fails: 'a refund is not cancelled while a wallet was asked to pay it',
  },
  {
    name: 'A part that a reorg may take back ends its prompt',
    file: 'bff/src/checkout/merchant-refund/refund-prompts.ts',
    from: "txId === open.txId && state === 'confirmed'",
    to: "txId === open.txId && state !== 'reverted'",
    test: prompted,
    fails: 'a part that a reorg may take back does not end its prompt',
  },
  {
    name: 'Any account is asked for a transfer that names no refund',
    file: 'bff/src/checkout/merchant-refund/refund-prompts.ts',
    from: 'if (!isNamed(wallet, hasCall) && !isOwn) {',
    to: 'if (false) {',
    test: prompted,
    fails: 'a transfer of another account than the settlement wallet names no refund, and is not asked for',
  },
  {
    name: 'A prompt ends while what was read of its refund could not be stored',
    file: 'bff/src/chain/evm/submit/check-prompt.ts',
    from: 'if (!tip || isWaiting) return false',
    to: 'if (!tip) return false',
    test: 'bff/src/checkout/merchant-refund/unread-refund.test.ts',
    fails: 'nor while what was read of it could not be stored',
  },
  {
    name: 'One node ends the prompt of a high-value refund',
    file: 'bff/src/chain/evm/submit/check-prompt.ts',
    from: 'required === null ? await proves(adapter)',
    to: 'adapter ? await proves(adapter)',
    test: 'bff/src/chain/evm/watch/high-value-refund.test.ts',
    fails:
      'the end of what a wallet was asked for is that of a high-value refund only when two nodes prove it: of a nonce',
  },
  {
    name: 'One node names the nonce whose use ends the prompt of a high-value refund',
    file: 'bff/src/chain/evm/submit/check-prompt.ts',
    from: 'if (nonce === null || !isHighValue) return nonce',
    to: 'if (nonce === null || adapter) return nonce',
    test: 'bff/src/chain/evm/watch/high-value-refund.test.ts',
    fails: 'the end of what a wallet was asked for whose nonce two nodes must name',
  },
]
