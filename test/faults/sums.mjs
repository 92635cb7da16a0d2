// Where sums, windows, fees, prices and reports are decided.

/** @type {import('./faults.mjs').Fault[]} */
export const sums = [
  {
    name: "Solana's fee is rounded half up",
    file: 'bff/src/chain/solana/payout/solana-sweeps.ts',
    from: 'fee: (paid * BigInt(feeBps)) / wholeBps }',
    to: 'fee: (paid * BigInt(feeBps) + wholeBps / 2n) / wholeBps }',
    test: 'bff/src/chain/solana/payout/solana-sweeps.test.ts',
    fails: 'the shares of a sweep of 1n with a fee of 9999 hundredths of a percent: the platform has 0n, rounded down',
  },
  {
    name: 'Many transfers make the books too low',
    file: 'bff/src/payment/store/transfer-store.ts',
    from: 'if (rows.length < pageMax) return sum',
    to: 'return sum',
    test: 'bff/src/payment/payment-rows.test.ts',
    fails: 'the sum of a payment’s transfers counts all of them, however many there are',
  },
  {
    name: 'A share that another splitter pays counts as paid in the books',
    file: 'bff/src/chain/evm/movements/split-shares.ts',
    from: 'share.splitter === splitter.toLowerCase() &&',
    to: '',
    test: 'bff/src/chain/evm/movements/split-shares.test.ts',
    fails: 'a parked share counts as paid when its own splitter pays it, not when another one pays the same recipient',
  },
  {
    name: 'The fee in the books is rounded half up',
    file: 'bff/src/chain/shares.ts',
    from: 'const fee = (shared * BigInt(feeBpsOf(payment))) / wholeBps',
    to: 'const fee = (shared * BigInt(feeBpsOf(payment)) + wholeBps / 2n) / wholeBps',
    test: 'bff/src/chain/shares.test.ts',
    fails: 'a deposit on EVM is divided exactly, and the fee is rounded down',
  },
  {
    name: 'The fee of a wallet payment on Solana is rounded up',
    file: 'bff/src/chain/solana/facts/solana-split-terms.ts',
    from: 'const platform = (amount * BigInt(feeBps)) / wholeBps',
    to: 'const platform = (amount * BigInt(feeBps) + wholeBps - 1n) / wholeBps',
    test: 'bff/src/chain/shares.test.ts',
    fails: 'the transfers of a wallet payment on Solana add up to its amount, and its fee is rounded down',
  },
  {
    name: 'A month is cut for western time zones',
    file: 'bff/src/reports/month.ts',
    from: 'untilQuarter: Math.ceil((Date.UTC(year ?? 0, number ?? 1) + zoneMaxMs) / quarterMs)',
    to: 'untilQuarter: Math.ceil(Date.UTC(year ?? 0, number ?? 1) / quarterMs)',
    test: 'bff/src/reports/month-edges.test.ts',
    fails: 'a month has every payment of its days and no other, in the time zone Etc/GMT+12',
  },
  {
    name: 'A month is cut for eastern time zones',
    file: 'bff/src/reports/month.ts',
    from: 'fromQuarter: Math.floor((Date.UTC(year ?? 0, (number ?? 1) - 1) - zoneMaxMs) / quarterMs)',
    to: 'fromQuarter: Math.floor(Date.UTC(year ?? 0, (number ?? 1) - 1) / quarterMs)',
    test: 'bff/src/reports/month-edges.test.ts',
    fails: 'a month has every payment of its days and no other, in the time zone Europe/Berlin',
  },
  {
    name: 'The far time zones are not read',
    file: 'bff/src/reports/local-day.ts',
    from: 'export const zoneMaxMs = 15',
    to: 'export const zoneMaxMs = 11',
    test: 'bff/src/reports/every-zone.test.ts',
    fails: 'no zone is farther from UTC than a month is read to both sides of its edges',
  },
  {
    name: "Test money is in a live month's kept sums",
    file: 'bff/src/reports/month-store.ts',
    from: `       where merchant_id = \${merchantId} and is_test = \${isTest ? 1 : 0} and quarter >= \${range.fromQuarter}
         and quarter < \${range.untilQuarter}
       order by quarter, network`,
    to: `       where merchant_id = \${merchantId} and quarter >= \${range.fromQuarter}
         and quarter < \${range.untilQuarter}
       order by quarter, network`,
    test: 'bff/src/reports/month-edges.test.ts',
    fails:
      'test payments of the same quarters are in no live month, and live ones in no test month, however often both are read',
  },
  {
    name: "A test month's sums are kept as a live month's",
    file: 'bff/src/reports/month-store.ts',
    from: 'const isTest = whose.isTest ? 1 : 0',
    to: 'const isTest = 0',
    test: 'bff/src/reports/kept-sums.test.ts',
    fails: 'what is kept of the test month is shown in no other, whichever is read first and however often',
  },
  {
    name: 'A live month is answered by the reading of a test month',
    file: 'bff/src/reports/month.ts',
    from: 'JSON.stringify([merchantId, isTest, month, timeZone])',
    to: 'JSON.stringify([merchantId, month, timeZone])',
    test: 'bff/src/reports/kept-sums.test.ts',
    fails: 'a live and a test month that are asked for at the same moment are two readings',
  },
  {
    name: 'Unmatched money in the newest block is missed by reconcile',
    file: 'bff/src/ops/reconcile/judge-unmatched.ts',
    from: 'one.block <= (scope.unmatchedApplied ?? -1)',
    to: 'one.block < (scope.unmatchedApplied ?? -1)',
    test: 'bff/src/ops/reconcile/judge-payment.test.ts',
    fails: 'an unmatched transfer matches the balance at its measurement',
  },
  {
    name: 'Sums of a quarter that has changed since are kept',
    file: 'bff/src/reports/month-store.ts',
    from: 'if (changesNow.get(quarter) !== changes) continue',
    to: '',
    test: 'bff/src/reports/reports.test.ts',
    fails: 'the month keeps no sums of payments that have changed while they were read',
  },
  {
    name: 'A balance that nothing explains is overlooked',
    file: 'bff/src/ops/reconcile/judge-unmatched.ts',
    from: 'if (total !== amount)',
    to: 'if (total > amount)',
    test: 'bff/src/ops/reconcile/unmatched-balance.test.ts',
    fails: 'movements of an unmatched token must equal the balance, neither less nor more: 10n of 9',
  },
  {
    name: 'Late money is in no sum of a report',
    file: 'bff/src/payment/store/sums-store.ts',
    from: 'received: add(payment.received, payment.late),',
    to: 'received: payment.received,',
    test: 'bff/src/reports/reports.test.ts',
    fails:
      'the summary has by day, network and token what was created, paid, received and refunded, as `export` has it to the unit',
  },
  {
    name: 'Test payments are in the live sums',
    file: 'bff/src/payment/store/sums-store.ts',
    from: 'isTest: isTest ? 1 : 0,',
    to: 'isTest: 0,',
    test: 'bff/src/reports/reports.test.ts',
    fails:
      'the summary has by day, network and token what was created, paid, received and refunded, as `export` has it to the unit',
  },
  {
    name: 'A price in a currency is rounded down',
    file: 'bff/src/rates/tokens-for.ts',
    from: '(numerator + denominator - 1n) / denominator',
    to: 'numerator / denominator',
    test: 'bff/src/checkout/price.test.ts',
    fails: 'tokens for a price 25 at 0.9213 are 27.14',
  },
  {
    name: 'A rate may be twice as old as is allowed',
    file: 'bff/src/rates/read-rates.ts',
    from: 'age(rates, nowMs) > maxAgeSeconds * 1000',
    to: 'age(rates, nowMs) > maxAgeSeconds * 2000',
    test: 'bff/src/rates/providers.test.ts',
    fails:
      'a service that names a provider answers its rates as numbers, and refuses them once they are older than ten minutes',
  },
  {
    name: 'A rate goes back in time',
    file: 'bff/src/rates/read-rates.ts',
    from: 'if (!known || fetched.asOfMs >= known.asOfMs) known = fetched',
    to: 'known = fetched',
    test: 'bff/src/rates/rates.test.ts',
    fails: 'rates of a provider never go back in time',
  },
  {
    name: 'The fee of a sponsored transaction is rounded down',
    file: 'bff/src/chain/solana/relay/check-transaction.ts',
    from: '(unitPrice * BigInt(units) + 999_999n) / 1_000_000n',
    to: '(unitPrice * BigInt(units)) / 1_000_000n',
    test: 'bff/src/chain/solana/relay/check-transaction.test.ts',
    fails: 'is identified by its message, and its fee is bounded',
  },
  {
    name: 'Units of two decimals are added up to one sum',
    file: 'bff/src/reports/token-sums.ts',
    from: '`${network} ${currency} ${tokenDecimals}`',
    to: '`${network} ${currency}`',
    test: 'bff/src/reports/token-sums.test.ts',
    fails: 'a token whose decimals were corrected has two rows',
  },
  {
    name: 'Paid payments are counted status by status, one of them twice',
    file: 'bff/src/checkout/read/payment-search.ts',
    from: "paid: await countOfStatuses(tx, caller, statusesOf('paid'), countMax),",
    to: `paid: await (async () => {
          let paid = 0
          for (const status of statusesOf('paid')) paid += await countOfStatuses(tx, caller, [status], countMax)
          return paid
        })(),`,
    test: 'bff/src/checkout/read/payment-search.test.ts',
    fails: 'a payment whose status changes while the paid ones are counted counts once',
  },
  {
    name: 'What the merchant refunded twice is owed once more when the customer pays again',
    file: 'bff/src/payment/payment-sums.ts',
    from: 'paid: smaller(confirmedOfDue, kept)',
    to: 'paid: confirmedOfDue',
    test: 'bff/src/payment/direct-refunds.test.ts',
    fails:
      'whatever is paid and refunded, what the merchant has is the amount due that is kept and the excess owed, and nothing twice',
  },
  {
    name: 'The dashboard names one of several sums that one press returns',
    file: 'bff/dashboard/parts/owed-money.ts',
    from: 'const before = byNetwork.get(one.network)',
    to: 'const before = undefined as Owed | undefined',
    test: 'bff/dashboard/parts/owed-money.test.ts',
    fails: 'what one press returns is one sum: the service sends all on a network to the address that is named',
  },
  {
    name: 'What the merchant refunded before a payment was paid counts as its share',
    file: 'bff/src/payment/payment-sums.ts',
    from: 'smaller(due, smaller(countedOf(payment), left))',
    to: 'smaller(due, countedOf(payment))',
    test: 'bff/src/payment/direct-refunds.test.ts',
    fails:
      'what went back before a payment within the tolerance was paid is no part of the share of merchant and platform',
  },
]
