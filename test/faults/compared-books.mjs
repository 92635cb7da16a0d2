// What `reconcile` must not overlook, or report for nothing, when it compares the books of a payment with the chain.

const folder = 'bff/src/ops/reconcile'
const payment = { file: `${folder}/judge-payment.ts`, test: `${folder}/judge-payment.test.ts` }
const held = { ...payment, fails: 'what is on its way is never more than what is there' }
const ofMerchant = { ...payment, fails: 'money at an address of the merchant’s own wallet has arrived' }
const transfers = { file: `${folder}/judge-transfers.ts`, test: `${folder}/judge-transfers.test.ts` }
const windows = { ...transfers, fails: 'a transfer is in time up to the end of the window' }
const bridged = { ...transfers, fails: 'a bridge may keep the window open for a day' }
const payouts = { file: `${folder}/judge-payouts.ts`, test: `${folder}/judge-payouts.test.ts` }
const statement = { file: `${folder}/statement.ts`, test: `${folder}/statement.test.ts` }
const left = { ...statement, fails: 'what is left of several payments adds up' }

/** @type {import('./faults.mjs').Fault[]} */
export const comparedBooks = [
  {
    ...payment,
    name: 'An address that holds less than its movements add up to is not reported',
    from: 'if (moved !== amount) {',
    to: 'if (moved < amount) {',
    fails: 'an unexplained withdrawal and an unexplained balance are differences',
  },
  {
    ...payment,
    name: 'A deposit whose balance no node gave is taken for one that holds its movements',
    from: '(reading.balances[0]?.amount ?? 0n) : moved',
    to: '(reading.balances[0]?.amount ?? moved) : moved',
    fails: 'a deposit without a known balance holds nothing',
  },
  {
    ...payment,
    name: 'A balance without any movement is in no statement',
    from: 'reading.movements.length === 0 && amount === 0n',
    to: 'reading.movements.length === 0',
    fails: 'a balance without movements is still there',
  },
  {
    ...payment,
    name: 'A settlement of a deposit whose transfer a reorg undid is waited for',
    from: "transfers.some(({ state }) => state === 'seen')",
    to: "transfers.some(({ state }) => state !== 'confirmed')",
    fails: 'a settlement of a deposit whose transfer a reorg undid is not in the books',
  },
  {
    ...payment,
    name: 'A settlement that a reorg undid, and that is sent again, is reported',
    from: "if (!isSentAgain && !later.has(sweepTxId ?? ''))",
    to: "if (!later.has(sweepTxId ?? ''))",
    fails: 'records of later blocks are skipped',
  },
  {
    ...payment,
    name: 'A wrong fee beside the right share of the merchant is not reported',
    from: 'return feeAmount > 0n || merchantAmount !== sharesOf(payment).merchant',
    to: 'return merchantAmount !== sharesOf(payment).merchant',
    fails: 'the books have the swept amount, which is less than the received amount',
  },
  {
    ...held,
    name: 'More unconfirmed money is on its way than the address holds',
    from: 'let onItsWay = smaller(amount, unconfirmed)',
    to: 'let onItsWay = unconfirmed',
  },
  {
    ...held,
    name: 'Unconfirmed money is on its way twice',
    from: 'smaller(amount - onItsWay, payment.due)',
    to: 'smaller(amount, payment.due)',
  },
  {
    ...ofMerchant,
    name: 'What a merchant spends of its own wallet is an unexplained withdrawal',
    from: "if (movement.kind !== 'in') return []",
    to: '',
  },
  {
    ...ofMerchant,
    name: 'Money at an address of the merchant has not come in',
    from: "return [movement, { ...place, kind: 'settled'",
    to: "return [{ ...place, kind: 'settled'",
  },
  {
    ...ofMerchant,
    name: 'The balance of a merchant’s own wallet is money of the service',
    from: 'balances.map(({ token }) => ({ token, amount: 0n }))',
    to: 'balances',
  },
  {
    ...ofMerchant,
    name: 'A payment to the merchant’s own wallet is missing its sweep',
    from: "payment.mode === 'deposit' && !payment.isDirect) {",
    to: "payment.mode === 'deposit') {",
  },
  {
    ...transfers,
    name: 'A wallet payment that the books lack waits for a cursor that it has not',
    from: "payment.mode === 'contract' || (readToBlock",
    to: '(readToBlock',
    fails: 'of a wallet payment every transfer is read',
  },
  {
    ...transfers,
    name: 'The missing transfer of an unpaid wallet payment is one that pays it again',
    from: "payment.mode === 'contract' && isPaid(payment)",
    to: "payment.mode === 'contract'",
    fails: 'of a wallet payment every transfer is read',
  },
  {
    ...transfers,
    name: 'Money after the cursor of its account is nowhere',
    from: '      judged.unconfirmed += amount\n',
    to: '',
    fails: 'a deposit’s transfer after its account’s cursor is unconfirmed money',
  },
  {
    ...transfers,
    name: 'The second transfer of a transaction is taken for the first',
    from: 'one.txId === txId && one.logIndex === logIndex',
    to: 'one.txId === txId',
    fails: 'two transfers of one transaction are two',
  },
  {
    ...transfers,
    name: 'A transfer in an earlier block than in the books does not differ',
    from: 'if (blockNumber !== found.block) return',
    to: 'if (blockNumber < found.block) return',
    fails: 'a transfer in an earlier block of the chain than in the books differs',
  },
  {
    ...windows,
    name: 'Late money that was accepted counts as late',
    from: 'blockTimeMs > (payment.acceptedUntilMs ?? payment.windowEndsAtMs)',
    to: 'blockTimeMs > payment.windowEndsAtMs',
  },
  {
    ...windows,
    name: 'Money in the last moment of the window is late',
    from: 'blockTimeMs > (payment.acceptedUntilMs',
    to: 'blockTimeMs >= (payment.acceptedUntilMs',
  },
  {
    ...windows,
    name: 'The window of a payment without a bridge is held open',
    from: 'bridgeOf(payment) !== undefined && ',
    to: '',
  },
  {
    ...bridged,
    name: 'A bridge may not use its last moment',
    from: 'blockTimeMs <= payment.windowEndsAtMs + bridgeWaitMaxMs',
    to: 'blockTimeMs < payment.windowEndsAtMs + bridgeWaitMaxMs',
  },
  {
    ...bridged,
    name: 'A bridge may hold the window open for ever',
    from: ' && blockTimeMs <= payment.windowEndsAtMs + bridgeWaitMaxMs',
    to: '',
  },
  {
    ...bridged,
    name: 'Money of a bridge after the window is always in the wrong place',
    from: '(isLate ? payment.closedAs !== null : isHeldOpen)',
    to: 'payment.closedAs !== null',
  },
  {
    ...transfers,
    name: 'Late money counts before it is confirmed',
    from: "late: sum(({ state, isLate }) => state === 'confirmed' && isLate)",
    to: 'late: sum(({ isLate }) => isLate)',
    fails: 'what a payment has late is the sum of its transfers',
  },
  {
    ...payouts,
    name: 'Only the last refund of a payment is in its sum',
    from: 'sum += amount ?? 0n',
    to: 'sum = amount ?? 0n',
    fails: 'several refunds match one by one',
  },
  {
    ...payouts,
    name: 'Refunds may add up to more than the payment counts',
    from: 'sum !== counted',
    to: 'sum < counted',
    fails: 'several refunds match one by one',
  },
  {
    ...left,
    name: 'A coin that is on its way is not in the closing balance',
    from: 'coins.holding.onItsWay + coins.holding.unmatched + coins.holding.stillThere',
    to: 'coins.holding.unmatched + coins.holding.stillThere',
  },
  {
    ...left,
    name: 'Only the last payment is on its way in a statement',
    from: 'line.holding.onItsWay += onItsWay',
    to: 'line.holding.onItsWay = onItsWay',
  },
  {
    ...left,
    name: 'Only the last payment has unmatched money in a statement',
    from: 'line.holding.unmatched += unmatched',
    to: 'line.holding.unmatched = unmatched',
  },
  {
    ...left,
    name: 'Only the last payment has money that is still there in a statement',
    from: 'line.holding.stillThere += stillThere',
    to: 'line.holding.stillThere = stillThere',
  },
]
