import { Command } from '@commander-js/extra-typings'
import { readWallets, setWallets } from '../../merchant/wallets.ts'
import { addWallet, type Cli, jsonOption } from './cli.ts'
import { table } from './text.ts'
import { withDb } from './with-db.ts'

/** Where a merchant's money goes. A running service sees a change within a second. */
export function walletsCommand(cli: Cli) {
  const wallets = new Command('wallets').description("where a merchant's money goes, on each network")

  wallets
    .command('list')
    .description('the wallets of a merchant')
    .argument('<merchant>', 'its id')
    .option(...jsonOption)
    .action((merchant, options) =>
      cli.answer(options, () =>
        withDb(cli.config(), async (db) => {
          const found = await readWallets(db, merchant)
          const rows = found.map(({ network, address }) => [network, address])
          return { json: { merchantId: merchant, wallets: found }, text: table(['network', 'address'], rows) }
        }),
      ),
    )

  wallets
    .command('set')
    .description(
      'set wallets for payments that are created from then on; the others keep the one they were created with',
    )
    .argument('<merchant>', 'its id')
    .argument(
      '<network=address...>',
      'checked with its checksum; a token or a contract of the service is refused',
      addWallet,
    )
    .option(...jsonOption)
    .action((merchant, given, options) =>
      cli.answer(options, async () => {
        const config = cli.config()
        return await withDb(config, async (db) => {
          const set = await setWallets({ db, networks: config.networks }, merchant, given)
          const rows = set.map(({ network, address, before }) => [network, address, before ?? 'none'])
          const text = `${table(['network', 'address', 'before'], rows)}\nPayments that were created keep their wallet.`
          return { json: { merchantId: merchant, wallets: set }, text }
        })
      }),
    )

  return wallets
}
