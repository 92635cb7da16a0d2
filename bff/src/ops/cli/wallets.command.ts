import { Command } from '@commander-js/extra-typings'
import { addressView } from '../../merchant/given-address-view.ts'
import { readWallets, setWallets } from '../../merchant/wallets.ts'
import type { MerchantId } from '../../payment/payment.ts'
import { addressColumns, addressRow, exportAddresses, firstAddresses } from '../export/export-addresses.ts'
import { addWallet, type Cli, jsonOption } from './cli.ts'
import { table } from './text.ts'
import { verifyWallets } from './verify-wallets.ts'
import { answerFromDb } from './with-db.ts'

/** A merchant's wallets. A running service applies changes within a second. */
export function walletsCommand(cli: Cli) {
  const wallets = new Command('wallets').description("wallets that receive a merchant's payments, one per network")

  wallets
    .command('list')
    .description("list a merchant's wallets")
    .argument('<merchant-id>')
    .option(...jsonOption)
    .action((merchant, options) =>
      answerFromDb(cli, options, async ({ db }) => {
        const found = await readWallets(db, merchant)
        const rows = found.map(({ network, address }) => [network, address])
        return { json: { merchantId: merchant, wallets: found }, text: table(['network', 'address'], rows) }
      }),
    )

  wallets
    .command('set')
    .description('set wallets for payments created from now on')
    .argument('<merchant-id>')
    .argument(
      '<network=address...>',
      'address with its checksum, not a token or a contract; where deposits are "xpub", the account’s extended public key, @, and its first address; where they are "virtual", the wallet, a colon, and its salt',
      addWallet,
    )
    .option(...jsonOption)
    .action((merchant, given, options) =>
      answerFromDb(cli, options, async ({ config, db }) => {
        await verifyWallets(cli, config.networks, given)
        const set = await setWallets({ db, networks: config.networks }, merchant, given)
        const rows = set.map(({ network, address, before }) => [network, address, before ?? 'none'])
        const text = `${table(['network', 'address', 'before'], rows)}\nExisting payments keep their wallet.`
        return { json: { merchantId: merchant, wallets: set }, text }
      }),
    )

  wallets
    .command('addresses')
    .description("list the addresses of a merchant's own wallet that payments were given, with their paths")
    .argument('<merchant-id>')
    .argument('<network>')
    .option('--csv <file>', 'write all of them to a new file (RFC 4180), readable by its owner only')
    .option(...jsonOption)
    .action((merchant, network, options) =>
      answerFromDb(cli, options, async ({ db }) => {
        if (options.csv !== undefined) {
          const addresses = await exportAddresses(db, { merchantId: merchant as MerchantId, network }, options.csv)
          return { json: { file: options.csv, addresses }, text: `${options.csv}: ${addresses} addresses` }
        }
        const { shown, hasMore } = await firstAddresses(db, { merchantId: merchant as MerchantId, network })
        const text = table(addressColumns, shown.map(addressRow))
        return {
          json: { merchantId: merchant, network, addresses: shown.map(addressView), hasMore },
          text: hasMore ? `${text}\nThere are more: use --csv.` : text,
        }
      }),
    )

  return wallets
}
