import { Command } from '@commander-js/extra-typings'
import { createEvmPool } from '../../chain/evm/rpc/evm-pool.ts'
import { verifyMaster } from '../../chain/evm/virtual/registry.ts'
import { depositsOf } from '../../chain/index.ts'
import { NetworkMismatchError } from '../../chain/network-fault.ts'
import { commandPoolDeps } from '../../chain/rpc-pool.ts'
import { OperatorError } from '../../core/errors.ts'
import { findNetwork, type Networks } from '../../core/families.ts'
import { faultText } from '../../core/fault-text.ts'
import { addressView } from '../../merchant/given-address-view.ts'
import { checkWallet, readWallets, setWallets } from '../../merchant/wallets.ts'
import type { MerchantId } from '../../payment/payment.ts'
import { addressColumns, addressRow, exportAddresses, firstAddresses } from '../export/export-addresses.ts'
import { addWallet, type Cli, jsonOption } from './cli.ts'
import { table } from './text.ts'
import { answerFromDb } from './with-db.ts'

/** A node that does not answer within it is not waited for. */
const askMs = 10_000

/**
 * Money for a wallet that the chain does not know would not arrive, and no payment would be accepted.
 * @throws {OperatorError} for one that is not registered, or when no node says so.
 */
async function verifyRegistrations(cli: Cli, networks: Networks, given: ReadonlyMap<string, string>): Promise<void> {
  for (const [shortName, text] of given) {
    const { source, address } = checkWallet(networks, shortName, text)
    const network = findNetwork(networks, shortName)
    if (!network || source === null) continue
    const rules = depositsOf(network)
    if (!rules.isDirect || rules.kind !== 'virtual') continue
    const pool = createEvmPool(network, commandPoolDeps(cli.runtime))
    await verifyMaster(pool, network, { source, address }, AbortSignal.timeout(askMs)).catch((error: unknown) => {
      const reason = error instanceof NetworkMismatchError ? '' : `Whether ${address} is registered is not known: `
      throw new OperatorError(`${reason}${faultText(error)} Nothing was changed.`)
    })
  }
}

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
        await verifyRegistrations(cli, config.networks, given)
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
