import { Command } from '@commander-js/extra-typings'
import { familyOf } from '../../chain/index.ts'
import type { Network } from '../../core/families.ts'
import { withTimeout } from '../../core/with-timeout.ts'
import { type Cli, jsonOption } from './cli.ts'
import { table } from './text.ts'

/** A node that does not answer must not hold up the list of all others. */
const lookMs = 20_000

export function networksCommand(cli: Cli) {
  const networks = new Command('networks').description('the configured networks')

  networks
    .command('list')
    .description('every network of the configuration, and whether it can be paid on now')
    .option(...jsonOption)
    .action((options) =>
      cli.answer(options, async () => {
        const looks = await Promise.all([...cli.config().networks.values()].map(look))
        const rows = looks.map(({ shortName, chainId, tokens, confirmations, deposits, contractPayments }) => [
          ...[shortName, String(chainId), tokens.join(' '), String(confirmations)],
          ...[deposits.isPayable ? 'yes' : 'no', contractPayments.isPayable ? 'yes' : 'no'],
        ])
        const heading = ['network', 'chain id', 'tokens', 'confirmations', 'deposits', 'contract payments']
        const reasons = looks.flatMap((one) => [one.deposits.reason, one.contractPayments.reason])
        const told = [...new Set(reasons.filter((reason) => reason !== null))]
        return { json: { networks: looks }, text: [table(heading, rows), ...told].join('\n') }
      }),
    )

  return networks
}

async function look(network: Network) {
  const [deposits, splitter] = await withTimeout(lookMs, [], (signal) =>
    Promise.all([familyOf(network).verifyNetwork(network, signal), familyOf(network).verifyContracts(network, signal)]),
  )
  const { shortName, name, chainId, isTestnet, confirmations, tokens } = network
  const contracts = deposits ?? splitter
  return {
    ...{ shortName, name, chainId, isTestnet, confirmations, tokens: tokens.map(({ symbol }) => symbol) },
    deposits: { isPayable: deposits === undefined, reason: deposits?.reason ?? null },
    contractPayments: { isPayable: contracts === undefined, reason: contracts?.reason ?? null },
  }
}
