import { Command } from '@commander-js/extra-typings'
import { inspectNetwork } from '../../chain/connect-networks.ts'
import { commandPoolDeps } from '../../chain/rpc-pool.ts'
import type { Network } from '../../core/families.ts'
import { withTimeout } from '../../core/with-timeout.ts'
import { type Cli, jsonOption } from './cli.ts'
import { table } from './text.ts'

/** Per network, so that an unresponsive node does not delay the whole list. */
const verifyTimeoutMs = 20_000

export function networksCommand(cli: Cli) {
  const networks = new Command('networks').description('the configured networks')

  networks
    .command('list')
    .description('list the configured networks, and whether each can be paid on now')
    .option(...jsonOption)
    .action((options) =>
      cli.answer(options, async () => {
        const shown = await Promise.all(
          [...cli.config('none').networks.values()].map((network) => verify(network, cli)),
        )
        const rows = shown.map((network) => [
          network.shortName,
          String(network.chainId),
          network.tokens.join(' '),
          String(network.confirmations),
          network.deposits.isPayable ? 'yes' : 'no',
          network.contractPayments.isPayable ? 'yes' : 'no',
        ])
        const heading = ['network', 'chain id', 'tokens', 'confirmations', 'deposits', 'contract payments']
        const offers = shown.flatMap(({ deposits, contractPayments }) => [deposits, contractPayments])
        const reasons = new Set(offers.flatMap(({ reason }) => reason ?? []))
        return { json: { networks: shown }, text: [table(heading, rows), ...reasons].join('\n') }
      }),
    )

  return networks
}

async function verify(network: Network, { runtime }: Cli) {
  const { verifyNetwork, verifyContracts } = await inspectNetwork(network, commandPoolDeps(runtime))
  const [depositFault, splitterFault] = await withTimeout(verifyTimeoutMs, [], (signal) =>
    Promise.all([verifyNetwork(signal), verifyContracts(signal)]),
  )
  const contractFault = depositFault ?? splitterFault
  const { shortName, name, chainId, isTestnet, confirmations } = network
  return {
    shortName,
    name,
    chainId,
    isTestnet,
    confirmations,
    tokens: network.tokens.map(({ symbol }) => symbol),
    deposits: { isPayable: depositFault === undefined, reason: depositFault?.reason ?? null },
    contractPayments: { isPayable: contractFault === undefined, reason: contractFault?.reason ?? null },
  }
}
