import { Command } from '@commander-js/extra-typings'
import { createMerchant, listMerchants, setMerchant } from '../../merchant/accounts.ts'
import {
  formatGasLimit,
  formatSettings,
  formatTolerance,
  type MerchantSettings,
  parseCurrency,
  parseGasLimit,
  parseLatePayments,
  parsePublicReports,
  parseTolerance,
} from '../../merchant/merchant-settings.ts'
import { parseOriginList } from '../../merchant/origin-list.ts'
import { newWebhookSecret } from '../../webhook/send/sign.ts'
import { addWallet, type Cli, jsonOption, noWallets, optionValue } from './cli.ts'
import { fieldLines, table } from './text.ts'
import { verifyWallets } from './verify-wallets.ts'
import { answerFromDb, answerFromVault } from './with-db.ts'

const toleranceOption = [
  '--tolerance <bps,amount>',
  'accept a payment that is short by at most this many basis points and this amount',
  optionValue(parseTolerance),
] as const

const lateOption = [
  '--late-payments <report|accept>',
  'what a full amount after the window does: only reported, or pays',
  optionValue(parseLatePayments),
] as const

const publicReportsOption = [
  '--public-reports <on|off>',
  'whether a public key, which anyone can read in a page, can read the turnover in list and stats',
  optionValue(parsePublicReports),
] as const

const signatureGasOption = [
  '--signature-gas <bps,min,max|off>',
  'the maximum gas cost of a payment by signature: a share of the payment in basis points, between two amounts in dollars',
  optionValue(parseGasLimit),
] as const

const keyOriginsOption = [
  '--key-origins <any|origin,…>',
  'the origins of pages allowed to use the live public key, such as https://shop.example',
  optionValue(parseOriginList),
] as const

const currencyOption = [
  '--currency <code|none>',
  'the currency of the dashboard, of new tills and links, and of shop invoices that name none, such as EUR',
  optionValue(parseCurrency),
] as const

/** Merchant accounts. A running service applies changes within a second. */
export function merchantsCommand(cli: Cli) {
  const merchants = new Command('merchants').description('accounts that take payments')

  merchants
    .command('create')
    .description('create a merchant, and print its keys once')
    .requiredOption('--name <name>', 'name shown to customers')
    .option('--wallet <network=address>', 'wallet that receives payments on a network; repeatable', addWallet)
    .option(...toleranceOption)
    .option(...lateOption)
    .option(...publicReportsOption)
    .option(...signatureGasOption)
    .option(...keyOriginsOption)
    .option(...currencyOption)
    .option(...jsonOption)
    .action((options) =>
      answerFromVault(cli, options, async ({ config, db, vault }) => {
        const { runtime } = cli
        const wallets = options.wallet ?? noWallets
        await verifyWallets(cli, config.networks, wallets)
        const merchant = await createMerchant(
          { db, networks: config.networks, runtime, vault },
          {
            name: options.name,
            wallets,
            webhookSecret: newWebhookSecret(runtime),
            settings: settingsOf(options),
          },
        )
        return { json: merchant, text: `${fieldLines(merchant)}\nThe secrets are shown once.` }
      }),
    )

  merchants
    .command('set')
    .description('change settings for payments created from now on')
    .argument('<merchant-id>')
    .option(...toleranceOption)
    .option(...lateOption)
    .option(...publicReportsOption)
    .option(...signatureGasOption)
    .option(...keyOriginsOption)
    .option(...currencyOption)
    .option(...jsonOption)
    .action((id, options, command) => {
      const changes = settingsOf(options)
      if (Object.keys(changes).length === 0) command.error('error: there is no setting to change')
      return answerFromDb(cli, options, async ({ db }) => {
        const settings = await setMerchant(db, id, changes)
        return { json: { merchantId: id, ...settingsBody(settings) }, text: formatSettings(settings) }
      })
    })

  merchants
    .command('list')
    .description('list all merchants, oldest first')
    .option(...jsonOption)
    .action((options) =>
      answerFromDb(cli, options, async ({ db }) => {
        const { merchants: all, hasMore } = await listMerchants(db)
        const shown = all.map(({ settings, ...merchant }) => ({ ...merchant, ...settingsBody(settings) }))
        const rows = all.map((merchant) => [
          merchant.merchantId,
          merchant.name,
          merchant.createdAt,
          merchant.settings.currency ?? '-',
          merchant.wallets.join(' '),
        ])
        const text = table(['merchant', 'name', 'created', 'currency', 'wallets on'], rows)
        return { json: { merchants: shown, hasMore }, text: hasMore ? `${text}\nThere are more.` : text }
      }),
    )

  return merchants
}

function settingsOf(given: { [Name in keyof MerchantSettings]?: MerchantSettings[Name] | undefined }) {
  const { tolerance, latePayments, publicReports, signatureGas, keyOrigins, currency } = given
  return {
    ...(tolerance && { tolerance }),
    ...(latePayments && { latePayments }),
    ...(publicReports !== undefined && { publicReports }),
    ...(signatureGas && { signatureGas }),
    ...(keyOrigins && { keyOrigins }),
    ...(currency !== undefined && { currency }),
  }
}

function settingsBody({ tolerance, signatureGas, ...others }: MerchantSettings) {
  return { tolerance: formatTolerance(tolerance), ...others, signatureGas: formatGasLimit(signatureGas) }
}
