import { Command } from '@commander-js/extra-typings'
import { createClientSecrets, paymentLink } from '../../access/callers/client-secret.ts'
import { commandLineCaller } from '../../access/context/caller.ts'
import { createLateAcceptance } from '../../checkout/accept-late.ts'
import { createRefundRequests } from '../../checkout/deposit/refund-request.ts'
import { readHistory } from '../../checkout/read/payment-history.ts'
import { createPaymentViewer } from '../../checkout/read/payment-view.ts'
import { ValidationError } from '../../core/errors.ts'
import { silentLog } from '../../core/log.ts'
import { createHeads } from '../../network/heads.ts'
import { createLedger } from '../../payment/ledger.ts'
import type { Payment, PaymentId } from '../../payment/payment.ts'
import { loadPayment } from '../../payment/store/payment-store.ts'
import { createReports } from '../../reports/payment-report.ts'
import { type Cli, jsonOption, wholeNumber } from './cli.ts'
import { fieldLines, table } from './text.ts'
import { answerFromDb, answerFromVault, type OpenDb } from './with-db.ts'

const listDefault = 20
const listMax = 100

/** Payments can be listed, shown and changed while the service runs: it continues from the stored state. */
export function paymentsCommand(cli: Cli) {
  const payments = new Command('payments').description("a merchant's payments")

  payments
    .command('list')
    .description("list a merchant's payments, newest first")
    .argument('<merchant-id>')
    .option('--status <status>', 'only this status or outcome, such as pending or paid')
    .option('--search <text>', 'only where id, order id or a transaction contains this text')
    .option('--limit <n>', 'payments per page', wholeNumber(1, listMax), listDefault)
    .option('--page <n>', 'page number', wholeNumber(1, 1_000_000), 1)
    .option('--test', 'test payments instead of live ones')
    .option(...jsonOption)
    .action((merchant, options) =>
      answerFromDb(cli, options, async ({ db }) => {
        const caller = await commandLineCaller(db, merchant, options.test === true)
        const { status, search, page, limit } = options
        const { data, totalCount } = await createReports(db, new Map()).list(caller, { status, search }, page, limit)
        const rows = data.map((payment) => [
          payment.id ?? '',
          payment.createdAt,
          `${payment.amount} ${payment.currency}`,
          payment.network,
          payment.status,
          payment.orderId ?? '',
        ])
        const text = table(['payment', 'created', 'amount', 'network', 'status', 'order id'], rows)
        return { json: { payments: data, totalCount }, text: `${text}\n${data.length} of ${totalCount}` }
      }),
    )

  payments
    .command('show')
    .description('show a payment with its history: money, webhooks, transactions, requests')
    .argument('<payment-id>')
    .option(...jsonOption)
    .action((id, options) =>
      answerFromDb(cli, options, async (open) => {
        const { payment, describe } = await openPayment(cli, open, id)
        const history = await readHistory(open.db, payment)
        const shown = describe(payment)
        const { confirmations: _, ...json } = shown
        const lines = history.map(({ at, says }) => `${at}  ${says}`)
        return { json: { payment: json, history }, text: [summaryOf(payment, shown), ...lines].join('\n') }
      }),
    )

  payments
    .command('link')
    .description('print the payment link with the client secret, whose holder can set the refund address')
    .argument('<payment-id>')
    .option(...jsonOption)
    .action((id, options) =>
      answerFromVault(cli, options, async ({ vault, ...open }) => {
        const { payment } = await openPayment(cli, open, id)
        const { publicUrl } = open.config
        const clientSecret = createClientSecrets(vault).of(payment.id)
        const link = publicUrl === null ? null : paymentLink(publicUrl, payment.id, clientSecret)
        const text = link ?? `${paymentLink('', payment.id, clientSecret)}\nSet publicUrl to get the full URL.`
        return { json: { id: payment.id, clientSecret, link }, text }
      }),
    )

  payments
    .command('refund')
    .description('set the address for money owed to the payer; the service sends it now, and later money too')
    .argument('<payment-id>')
    .requiredOption('--to <address>', "the payer's address; not the one an exchange sent from")
    .option('--network <network>', 'network of the unmatched transfer')
    .option(...jsonOption)
    .action((id, options) =>
      answerFromDb(cli, options, async (open) => {
        const { payment, caller, describe, deps } = await openPayment(cli, open, id)
        const requestRefund = createRefundRequests({ ...deps, networks: open.config.networks })
        const requester = { caller, hasClientSecret: false }
        const changed = await requestRefund(requester, payment.id, options.to, options.network)
        const { refund, excessOwed, unmatched } = describe(changed.payment) as Record<string, unknown>
        const text = `The money owed is sent to ${options.to}. See "payments show ${id}" for its progress.`
        return { json: { id: payment.id, excessOwed, refund, unmatched }, text }
      }),
    )

  payments
    .command('accept-late')
    .description('accept a full amount that arrived late: the payment becomes paid and is settled')
    .argument('<payment-id>')
    .option(...jsonOption)
    .action((id, options) =>
      answerFromDb(cli, options, async (open) => {
        const { payment, caller, describe, deps } = await openPayment(cli, open, id)
        const accepted = await createLateAcceptance(deps)(caller, payment.id)
        const { status, outcome } = describe(accepted.payment)
        return { json: { id, status, outcome }, text: `${id} is ${outcome}: the late money was accepted.` }
      }),
    )

  return payments
}

/**
 * A payment with its operations. Changes are not logged, because the command prints them.
 * @throws {ValidationError} when the payment does not exist.
 */
async function openPayment({ runtime }: Cli, { db, config }: OpenDb, id: string) {
  const payment = await db.read((tx) => loadPayment(tx, id as PaymentId))
  if (!payment) throw new ValidationError(`there is no payment "${id.slice(0, 60)}"`)
  const describe = createPaymentViewer(config.networks, createHeads(), config).merchant
  const caller = await commandLineCaller(db, payment.merchantId, payment.isTest)
  return { payment, caller, describe, deps: { db, ledger: createLedger(db, describe), runtime, log: silentLog } }
}

function summaryOf(payment: Payment, shown: ReturnType<ReturnType<typeof createPaymentViewer>['merchant']>): string {
  return fieldLines({
    payment: shown.id,
    merchant: payment.merchantId,
    'order id': shown.orderId ?? '',
    status: shown.status,
    outcome: shown.outcome,
    paymentState: shown.paymentState,
    settlement: shown.settlement.message,
    amount: `${shown.amount} ${shown.currency} on ${shown.network}`,
    received: shown.amountReceived ?? '0',
    'owed back': shown.excessOwed,
    refund: shown.refund?.message ?? 'none',
    created: shown.createdAt,
    expires: shown.expiresAt,
    ...(payment.isTest && { test: 'yes' }),
  })
}
