import { Argument, Command, Option } from '@commander-js/extra-typings'
import { commandLineCaller } from '../../access/context/caller.ts'
import { createPaymentViewer } from '../../checkout/read/payment-view.ts'
import { iso } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import { createHeads } from '../../network/heads.ts'
import type { MerchantId } from '../../payment/payment.ts'
import { loadStoreKey } from '../../stores/store-key-store.ts'
import { ownEndpoint } from '../../webhook/endpoints/endpoint.ts'
import { type Endpoint, listEndpoints, loadEndpoint } from '../../webhook/endpoints/endpoint-store.ts'
import { postTestEvent } from '../../webhook/endpoints/test-event.ts'
import { createWebhookReports, type DeliveryReport } from '../../webhook/reports/delivery-report.ts'
import { type Cli, exitCodes, jsonOption, wholeNumber } from './cli.ts'
import { table } from './text.ts'
import { answerFromDb, answerFromVault, type OpenDb } from './with-db.ts'

const deliveriesDefault = 20
const deliveriesMax = 100
const states = ['due', 'delivered', 'failed'] as const

export function webhooksCommand(cli: Cli) {
  const webhooks = new Command('webhooks').description('webhook endpoints of a merchant, and deliveries to them')

  webhooks
    .command('list')
    .description(
      "list a merchant's endpoints and its stores' webhooks, and the newest deliveries to them and to callbackUrls",
    )
    .argument('<merchant-id>')
    .addOption(new Option('--state <state>', 'only deliveries in this state').choices(states))
    .option('--payment <id>', 'only deliveries of this payment')
    .option('--limit <n>', 'number of deliveries', wholeNumber(1, deliveriesMax), deliveriesDefault)
    .option('--test', 'deliveries of test payments instead of live ones')
    .option(...jsonOption)
    .action((merchant, options) =>
      answerFromDb(cli, options, async (open) => {
        const { merchantId, isTest } = await commandLineCaller(open.db, merchant, options.test === true)
        const { state = null, payment = null, limit } = options
        const filter = { merchantId, isTest, endpointId: null, sinceMs: null, paymentId: payment, type: null, state }
        const endpoints = await endpointsOf(open.db, merchantId)
        const { reports: newest } = await reportsOf(cli, open).list(filter, Number.MAX_SAFE_INTEGER, limit)
        const deliveries = newest.map(bodyOf)
        const endpointRows = endpoints.map(({ id, store, url, types, disabledReason }) => {
          return [id, store ?? '', url, types?.join(' ') ?? 'all', disabledReason ?? 'enabled']
        })
        const rows = deliveries.map(({ delivery, type, url, state, attempts, last }) => {
          return [String(delivery), type, url, state, String(attempts), last?.error ?? String(last?.code ?? '')]
        })
        const text = [
          table(['endpoint', 'store', 'url', 'types', 'state'], endpointRows, 'There are no endpoints.'),
          table(['delivery', 'type', 'url', 'state', 'attempts', 'last'], rows, 'There are no deliveries.'),
        ].join('\n\n')
        return { json: { endpoints, deliveries }, text }
      }),
    )

  webhooks
    .command('test')
    .description(
      "post a signed webhook.test to an endpoint, or a test delivery of BTCPay to a store's webhook, and print the response; exits with 1 unless it is 2xx",
    )
    .argument('<merchant-id>')
    .argument('<endpoint-id>')
    .option(...jsonOption)
    .action((merchant, id, options) =>
      answerFromVault(cli, options, async ({ config, db, vault }) => {
        const { merchantId } = await commandLineCaller(db, merchant, false)
        const endpoint = await db.read(
          async (tx) => (await loadEndpoint(tx, merchantId, id, 'btcpay')) ?? (await ownEndpoint(tx, merchantId, id)),
        )
        const deps = { vault, runtime: cli.runtime, targets: config.webhookTargets }
        const response = await postTestEvent(deps, endpoint, 'signed')
        const { code, error, tookMs, answer } = response
        const isAccepted = code !== null && code >= 200 && code <= 299
        const text = `${endpoint.url}: ${code ?? error} after ${tookMs} ms\n${answer}`.trim()
        return { json: response, text, exitCode: isAccepted ? exitCodes.done : exitCodes.failed }
      }),
    )

  webhooks
    .command('redeliver')
    .description('resend deliveries by the running service, each with all its attempts')
    .argument('<merchant-id>')
    .addArgument(new Argument('<delivery-number...>').argParser(addDelivery))
    .option(...jsonOption)
    .action((merchant, numbers, options) =>
      answerFromDb(cli, options, async (open) => {
        const caller = await commandLineCaller(open.db, merchant, false)
        const reports = reportsOf(cli, open)
        const due: ReturnType<typeof bodyOf>[] = []
        for (const number of numbers) due.push(bodyOf(await reports.redeliver(caller, number)))
        const text = due.map(({ delivery, type, url }) => `${delivery}: ${type} to ${url} is due again`).join('\n')
        return { json: { deliveries: due }, text }
      }),
    )

  return webhooks
}

/** The merchant's own endpoints, then those that plug-ins of stores registered, with the store's name. Both are bounded. */
function endpointsOf(db: Db, merchantId: MerchantId) {
  const shown = ({ id, url, isTest, types, disabledReason }: Endpoint, store: string | null) => ({
    id,
    url,
    store,
    isTest,
    types,
    disabledReason,
  })
  return db.read(async (tx) => {
    const endpoints = (await listEndpoints(tx, merchantId)).map((one) => shown(one, null))
    for (const one of await listEndpoints(tx, merchantId, 'btcpay')) {
      const key = one.storeKeyId === null ? undefined : await loadStoreKey(tx, merchantId, one.storeKeyId)
      endpoints.push(shown(one, key?.label || new URL(one.url).host))
    }
    return endpoints
  })
}

function reportsOf({ runtime }: Cli, { config, db }: OpenDb) {
  const describe = createPaymentViewer(config.networks, createHeads(), config).merchant
  return createWebhookReports({ db, runtime, describe })
}

const parseDelivery = wholeNumber(1, 1e15)

function addDelivery(text: string, numbers: readonly number[] = []): readonly number[] {
  return [...numbers, parseDelivery(text)]
}

function bodyOf({ delivery, attempts }: DeliveryReport) {
  const { number, type, url, state, paymentId, createdAtMs } = delivery
  const last = attempts.at(-1)
  return {
    delivery: number,
    type,
    url,
    state,
    paymentId,
    attempts: delivery.attempts,
    createdAt: iso(createdAtMs),
    last: last === undefined ? null : { at: iso(last.sentAtMs), code: last.code, error: last.error },
  }
}
