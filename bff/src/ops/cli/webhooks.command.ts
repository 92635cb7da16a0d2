import { Argument, Command, Option } from '@commander-js/extra-typings'
import { createHeads } from '../../chain/chain-adapter.ts'
import { createPaymentViewer } from '../../checkout/read/payment-view.ts'
import { commandLineCaller } from '../../merchant/caller.ts'
import { ownEndpoint } from '../../webhook/endpoints/endpoint.ts'
import { listEndpoints } from '../../webhook/endpoints/endpoint-store.ts'
import { postTestEvent } from '../../webhook/endpoints/test-event.ts'
import { createWebhookReports, type DeliveryReport } from '../../webhook/reports/delivery-report.ts'
import { type Cli, exitCodes, jsonOption, wholeNumber } from './cli.ts'
import { isoOf, table } from './text.ts'
import { withDb, withVault } from './with-db.ts'

const deliveriesDefault = 20
const deliveriesMax = 100
const states = ['due', 'delivered', 'failed'] as const

/** What a merchant is told. */
export function webhooksCommand(cli: Cli) {
  const webhooks = new Command('webhooks').description('what a merchant is told, and whether it was')

  webhooks
    .command('list')
    .description('the endpoints of a merchant, and the newest deliveries to them and to callbackUrls')
    .argument('<merchant>', 'its id')
    .addOption(new Option('--state <state>', 'deliveries in this state only').choices(states))
    .option('--payment <id>', 'deliveries of this payment only')
    .option('--limit <n>', 'how many deliveries', wholeNumber(1, deliveriesMax), deliveriesDefault)
    .option('--test', 'of test payments instead of live ones')
    .option(...jsonOption)
    .action((merchant, options) =>
      cli.answer(options, async () => {
        const config = cli.config()
        return await withDb(config, async (db) => {
          const { merchantId, isTest } = await commandLineCaller(db, merchant, options.test === true)
          const { state = null, payment = null, limit } = options
          const filter = { merchantId, isTest, endpointId: null, paymentId: payment, type: null, state }
          const endpoints = (await db.read((tx) => listEndpoints(tx, merchantId))).map(
            ({ id, url, isTest, types, disabledReason }) => ({ id, url, isTest, types, disabledReason }),
          )
          const describe = createPaymentViewer(config.networks, createHeads(), config).merchant
          const reports = createWebhookReports({ db, runtime: cli.runtime, describe })
          const deliveries = (await reports.list(filter, Number.MAX_SAFE_INTEGER, limit)).map(bodyOf)
          const endpointRows = endpoints.map(({ id, url, types, disabledReason }) => [
            ...[id, url, types?.join(' ') ?? 'all', disabledReason ?? 'enabled'],
          ])
          const rows = deliveries.map(({ delivery, type, url, state, attempts, last }) => [
            ...[String(delivery), type, url, state, String(attempts), last?.error ?? String(last?.code ?? '')],
          ])
          const text = [
            table(['endpoint', 'url', 'types', 'state'], endpointRows, 'There are no endpoints.'),
            table(['delivery', 'type', 'url', 'state', 'tries', 'last'], rows, 'There are no deliveries.'),
          ].join('\n\n')
          return { json: { endpoints, deliveries }, text }
        })
      }),
    )

  webhooks
    .command('test')
    .description('post a signed webhook.test to an endpoint now, and show what it answers; exits with 1 unless 2xx')
    .argument('<merchant>', 'its id')
    .argument('<endpoint>', 'its id: we_…')
    .option(...jsonOption)
    .action((merchant, id, options) =>
      cli.answer(options, async () => {
        const config = cli.config()
        return await withVault(config, cli.runtime, async ({ db, vault }) => {
          const { merchantId } = await commandLineCaller(db, merchant, false)
          const endpoint = await db.read((tx) => ownEndpoint(tx, merchantId, id))
          const deps = { vault, runtime: cli.runtime, targets: config.webhookTargets }
          const answer = await postTestEvent(deps, endpoint, 'signed')
          const isTaken = answer.code !== null && answer.code >= 200 && answer.code <= 299
          const text =
            `${endpoint.url}: ${answer.code ?? answer.error} after ${answer.tookMs} ms\n${answer.answer}`.trim()
          return { json: answer, text, exitCode: isTaken ? exitCodes.done : exitCodes.failed }
        })
      }),
    )

  webhooks
    .command('redeliver')
    .description('have deliveries sent again, with all tries before them; the running service does it')
    .argument('<merchant>', 'its id')
    .addArgument(new Argument('<delivery...>', 'numbers of the list').argParser(addDelivery))
    .option(...jsonOption)
    .action((merchant, numbers, options) =>
      cli.answer(options, async () => {
        const config = cli.config()
        return await withDb(config, async (db) => {
          const owner = await commandLineCaller(db, merchant, false)
          const describe = createPaymentViewer(config.networks, createHeads(), config).merchant
          const reports = createWebhookReports({ db, runtime: cli.runtime, describe })
          const due: ReturnType<typeof bodyOf>[] = []
          for (const number of numbers) due.push(bodyOf(await reports.redeliver(owner, number)))
          const text = due.map(({ delivery, type, url }) => `${delivery}: ${type} to ${url} is due again`).join('\n')
          return { json: { deliveries: due }, text }
        })
      }),
    )

  return webhooks
}

const parseDelivery = wholeNumber(1, 1e15)

function addDelivery(text: string, numbers: readonly number[] = []): readonly number[] {
  return [...numbers, parseDelivery(text)]
}

function bodyOf({ delivery, attempts }: DeliveryReport) {
  const { number, type, url, state, paymentId, createdAtMs } = delivery
  const last = attempts.at(-1)
  return {
    ...{ delivery: number, type, url, state, paymentId, attempts: delivery.attempts, createdAt: isoOf(createdAtMs) },
    last: last === undefined ? null : { at: isoOf(last.sentAtMs), code: last.code, error: last.error },
  }
}
