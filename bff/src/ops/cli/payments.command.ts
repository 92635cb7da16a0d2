import { Command } from '@commander-js/extra-typings'
import { createHeads } from '../../chain/chain-adapter.ts'
import { createLateAcceptance } from '../../checkout/accept-late.ts'
import { createClientSecrets, paymentLink } from '../../checkout/client-secret.ts'
import { createRefundRequests } from '../../checkout/deposit/refund-request.ts'
import { readHistory } from '../../checkout/read/payment-history.ts'
import { createPaymentViewer } from '../../checkout/read/payment-view.ts'
import { ValidationError } from '../../core/errors.ts'
import type { Db } from '../../db/db.ts'
import { commandLineCaller } from '../../merchant/caller.ts'
import { createReports } from '../../merchant/payment-report.ts'
import { createLedger } from '../../payment/ledger.ts'
import type { Payment, PaymentId } from '../../payment/payment.ts'
import { loadPayment } from '../../payment/payment-store.ts'
import type { Config } from '../config/config.ts'
import { type Cli, jsonOption, wholeNumber } from './cli.ts'
import { fieldLines, table } from './text.ts'
import { withDb, withVault } from './with-db.ts'

const listDefault = 20
const listMax = 100

/** What they are, what happened to them, and what can be done. A running service goes on from what is stored. */
export function paymentsCommand(cli: Cli) {
  const payments = new Command('payments').description('payments of a merchant')

  payments
    .command('list')
    .description('the newest payments of a merchant')
    .argument('<merchant>', 'its id')
    .option('--status <status>', 'one of the statuses or outcomes, such as pending or paid')
    .option('--search <text>', 'a part of the id, of the order id or of a transaction')
    .option('--limit <n>', 'how many', wholeNumber(1, listMax), listDefault)
    .option('--page <n>', 'which page of them', wholeNumber(1, 1_000_000), 1)
    .option('--test', 'test payments instead of live ones')
    .option(...jsonOption)
    .action((merchant, options) =>
      cli.answer(options, () =>
        withDb(cli.config(), async (db) => {
          const owner = await commandLineCaller(db, merchant, options.test === true)
          const { status, search, page, limit } = options
          const { data, totalCount } = await createReports(db).list(owner, { status, search }, page, limit)
          const rows = data.map((row) => [
            ...[
              row.id ?? '',
              row.createdAt,
              `${row.amount} ${row.currency}`,
              row.network,
              row.status,
              row.orderId ?? '',
            ],
          ])
          const text = table(['payment', 'created', 'amount', 'network', 'status', 'order id'], rows)
          return { json: { payments: data, totalCount }, text: `${text}\n${data.length} of ${totalCount}` }
        }),
      ),
    )

  payments
    .command('show')
    .description('a payment with its whole history: money, webhooks, transactions, requests')
    .argument('<payment>', 'its id')
    .option(...jsonOption)
    .action((id, options) =>
      cli.answer(options, async () => {
        const config = cli.config()
        return await withDb(config, async (db) => {
          const payment = await find(db, id)
          const history = await readHistory(db, payment)
          const shown = createPaymentViewer(config.networks, createHeads(), config).merchant(payment)
          const { confirmations: _, ...json } = shown
          const lines = history.map(({ at, says }) => `${at}  ${says}`)
          return { json: { payment: json, history }, text: [summaryOf(payment, shown), ...lines].join('\n') }
        })
      }),
    )

  payments
    .command('link')
    .description('the page of a payment, with the client secret that lets its holder name the refund address')
    .argument('<payment>', 'its id')
    .option(...jsonOption)
    .action((id, options) =>
      cli.answer(options, async () => {
        const config = cli.config()
        return await withVault(config, cli.runtime, async ({ db, vault }) => {
          const payment = await find(db, id)
          const clientSecret = createClientSecrets(vault).of(payment.id)
          const link = config.publicUrl === null ? null : paymentLink(config.publicUrl, payment.id, clientSecret)
          const text = link ?? `${paymentLink('', payment.id, clientSecret)}\nSet publicUrl to get the whole address.`
          return { json: { id: payment.id, clientSecret, link }, text }
        })
      }),
    )

  payments
    .command('refund')
    .description('say where money goes that is owed back; it follows by itself, now and later')
    .argument('<payment>', 'its id')
    .requiredOption('--to <address>', "of the payer: an exchange's address is often nobody's")
    .option('--network <network>', 'of what came on another network by mistake')
    .option(...jsonOption)
    .action((id, options) =>
      cli.answer(options, async () => {
        const config = cli.config()
        return await withDb(config, async (db) => {
          const { merchantId, isTest } = await find(db, id)
          const viewer = createPaymentViewer(config.networks, createHeads(), config)
          const requestRefund = createRefundRequests({ ...stageDeps(cli, config, db), networks: config.networks })
          const owner = await commandLineCaller(db, merchantId, isTest)
          const requester = { caller: owner, hasClientSecret: false }
          const payment = await requestRefund(requester, id as PaymentId, options.to, options.network)
          const { refund, excessOwed, strays } = viewer.merchant(payment) as Record<string, unknown>
          const json = { id: payment.id, excessOwed, refund, strays }
          return {
            json,
            text: `Money that is owed back goes to ${options.to}. "payments show ${id}" tells how far it is.`,
          }
        })
      }),
    )

  payments
    .command('accept-late')
    .description('take the whole amount that came too late: the payment becomes paid, and is forwarded as any other')
    .argument('<payment>', 'its id')
    .option(...jsonOption)
    .action((id, options) =>
      cli.answer(options, async () => {
        const config = cli.config()
        return await withDb(config, async (db) => {
          const { merchantId, isTest } = await find(db, id)
          const acceptLate = createLateAcceptance(stageDeps(cli, config, db))
          const payment = await acceptLate(await commandLineCaller(db, merchantId, isTest), id as PaymentId)
          const { status, outcome } = createPaymentViewer(config.networks, createHeads(), config).merchant(payment)
          return { json: { id, status, outcome }, text: `${id} is ${outcome}: what came too late is taken.` }
        })
      }),
    )

  return payments
}

/** What a stage needs, beside a service that may be running. Its log is the answer of the command. */
function stageDeps({ runtime }: Cli, config: Config, db: Db) {
  const viewer = createPaymentViewer(config.networks, createHeads(), config)
  const silent = { debug() {}, info() {}, warn() {}, error() {} }
  return { db, ledger: createLedger(db, viewer.merchant), runtime, log: silent }
}

/** @throws {ValidationError} when there is no such payment. */
async function find(db: Db, id: string): Promise<Payment> {
  const payment = await db.read((tx) => loadPayment(tx, id as PaymentId))
  if (!payment) throw new ValidationError(`there is no payment "${id.slice(0, 60)}"`)
  return payment
}

function summaryOf(payment: Payment, shown: ReturnType<ReturnType<typeof createPaymentViewer>['merchant']>): string {
  const { id, status, outcome, paymentState, settlement, amount, amountReceived, currency, network, excessOwed } = shown
  return fieldLines({
    ...{ payment: id, merchant: payment.merchantId, 'order id': shown.orderId ?? '', status, outcome, paymentState },
    ...{
      settlement: settlement.message,
      amount: `${amount} ${currency} on ${network}`,
      received: amountReceived ?? '0',
    },
    ...{
      'owed back': excessOwed,
      refund: shown.refund?.message ?? 'none',
      created: shown.createdAt,
      expires: shown.expiresAt,
    },
    ...(payment.isTest && { test: 'yes' }),
  })
}
