import { Command } from '@commander-js/extra-typings'
import { createMerchant } from '../../merchant/create-merchant.ts'
import { listMerchants } from '../../merchant/list-merchants.ts'
import {
  formatSettings,
  formatTolerance,
  type MerchantSettings,
  parseLatePayments,
  parsePublicReports,
  parseTolerance,
} from '../../merchant/merchant-settings.ts'
import { setMerchant } from '../../merchant/update-merchant.ts'
import { newWebhookSecret } from '../../webhook/outbox/sign.ts'
import { addWallet, type Cli, jsonOption, noWallets, optionValue } from './cli.ts'
import { fieldLines, table } from './text.ts'
import { withDb, withVault } from './with-db.ts'

const toleranceOption = [
  '--tolerance <bps,amount>',
  'take as paid what is short by up to so many basis points, and by no more than the amount',
  optionValue(parseTolerance),
] as const

const lateOption = [
  '--late-payments <report|accept>',
  'full money that comes after the window is only reported, or it pays',
  optionValue(parseLatePayments),
] as const

const publicReportsOption = [
  '--public-reports <on|off>',
  'what a public key, which anybody can read in a page, reads of list and stats: with the turnover, or empty',
  optionValue(parsePublicReports),
] as const

/** Accounts. A running service sees a change within a second. */
export function merchantsCommand(cli: Cli) {
  const merchants = new Command('merchants').description('the accounts that take payments')

  merchants
    .command('create')
    .description('make a merchant; shows its keys once')
    .requiredOption('--name <name>', 'what customers see')
    .option('--wallet <network=address>', 'where its money goes on a network; may be repeated', addWallet)
    .option(...toleranceOption)
    .option(...lateOption)
    .option(...publicReportsOption)
    .option(...jsonOption)
    .action((options) =>
      cli.answer(options, async () => {
        const config = cli.config()
        return await withVault(config, cli.runtime, async ({ db, vault }) => {
          const webhookSecret = newWebhookSecret(cli.runtime)
          const fields = {
            name: options.name,
            wallets: options.wallet ?? noWallets,
            webhookSecret,
            settings: settingsOf(options),
          }
          const deps = { db, networks: config.networks, runtime: cli.runtime, vault }
          const merchant = await createMerchant(deps, fields)
          return { json: merchant, text: `${fieldLines(merchant)}\nThe secrets are shown once.` }
        })
      }),
    )

  merchants
    .command('set')
    .description('change settings of a merchant, for payments that are created from then on')
    .argument('<merchant>', 'its id')
    .option(...toleranceOption)
    .option(...lateOption)
    .option(...publicReportsOption)
    .option(...jsonOption)
    .action((id, options, command) => {
      const changes = settingsOf(options)
      if (Object.keys(changes).length === 0) command.error('error: there is no setting to change')
      return cli.answer(options, async () =>
        withDb(cli.config(), async (db) => {
          const settings = await setMerchant(db, id, changes)
          return { json: { merchantId: id, ...settingsBody(settings) }, text: formatSettings(settings) }
        }),
      )
    })

  merchants
    .command('list')
    .description('every merchant, oldest first')
    .option(...jsonOption)
    .action((options) =>
      cli.answer(options, async () =>
        withDb(cli.config(), async (db) => {
          const { merchants: all, hasMore } = await listMerchants(db)
          const json = {
            merchants: all.map(({ settings, ...merchant }) => ({ ...merchant, ...settingsBody(settings) })),
          }
          const rows = all.map(({ merchantId, name, createdAt, wallets }) => [
            merchantId,
            name,
            createdAt,
            wallets.join(' '),
          ])
          const text = table(['merchant', 'name', 'created', 'wallets on'], rows)
          return { json: { ...json, hasMore }, text: hasMore ? `${text}\nThere are more.` : text }
        }),
      ),
    )

  return merchants
}

function settingsOf(given: { [Name in keyof MerchantSettings]?: MerchantSettings[Name] | undefined }) {
  const { tolerance, latePayments, publicReports } = given
  return {
    ...(tolerance && { tolerance }),
    ...(latePayments && { latePayments }),
    ...(publicReports !== undefined && { publicReports }),
  }
}

function settingsBody({ tolerance, latePayments, publicReports }: MerchantSettings) {
  return { tolerance: formatTolerance(tolerance), latePayments, publicReports }
}
