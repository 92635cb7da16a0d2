import { Command, InvalidArgumentError } from '@commander-js/extra-typings'
import { createEvmPool } from '../../chain/evm/rpc/evm-pool.ts'
import {
  type DeploymentReport,
  deploy,
  deployerAccount,
  describeDeployment,
} from '../../chain/evm/setup/deploy-contracts.ts'
import { operatorAccount } from '../../chain/evm/signer/operator.ts'
import { needsContracts } from '../../chain/index.ts'
import { commandPoolDeps } from '../../chain/rpc-pool.ts'
import { ValidationError } from '../../core/errors.ts'
import { type EvmNetwork, findNetwork, type Network } from '../../core/families.ts'
import { type Cli, jsonOption } from './cli.ts'
import { progressOf } from './progress.ts'
import { registerWallet } from './register-wallet.ts'
import { refuseWithoutService } from './with-db.ts'

const description = `deploy missing contracts to a chain, at the same addresses as on every chain

Without a payer, prints the missing contracts and their cost. With DEPLOYER_PRIVATE_KEY in the environment, or
with --as-operator, deploys and then compares the code on the chain. The payer's key gets no rights over the
contracts. Safe to repeat.

On a network with virtual addresses (deposits "virtual"), registers a wallet instead: searches a salt, which takes
minutes to hours and can be stopped and continued, then sends the registration with WALLET_PRIVATE_KEY in the
environment, or prints the call for the wallet.`

export function deployCommand(cli: Cli) {
  return new Command('deploy')
    .summary('deploy the contracts to a chain')
    .description(description)
    .argument('[network]', 'a configured network')
    .option('--rpc-url <url>', 'a node of a chain that is not configured', parseUrl)
    .option('--as-operator', "the configuration's operator pays")
    .option('--wallet <address>', 'the wallet to register, on a network with virtual addresses')
    .option(...jsonOption)
    .action((name, options, command) => {
      if ((name === undefined) === (options.rpcUrl === undefined)) {
        command.error('error: name either a network or a node (--rpc-url)')
      }
      if (options.wallet !== undefined) {
        const { wallet } = options
        return cli.answer(options, () => registerWallet(cli, virtualNetwork(cli, name ?? ''), wallet))
      }
      return cli.answer(options, async () => {
        const key = cli.env()['DEPLOYER_PRIVATE_KEY']
        const payer = options.asOperator ? operatorOf(cli) : key ? deployerAccount(key) : null
        const network = name === undefined ? chainAt(options.rpcUrl ?? '') : networkOf(cli, name)
        const progress = progressOf(cli)
        const pool = createEvmPool(network, commandPoolDeps(cli.runtime))
        const report = await deploy(pool, payer, progress.show).finally(progress.end)
        return { json: bodyOf(report), text: describeDeployment(report) }
      })
    })
}

function operatorOf(cli: Cli) {
  const { operator } = cli.config('operator')
  if (operator === null) throw new ValidationError('the configuration has no operator')
  return operatorAccount(operator)
}

/** A chain that is not configured: identified by its node. */
const chainAt = (rpcUrl: string) => ({ name: 'The chain', shortName: 'chain', rpcUrls: [rpcUrl], chainId: null })

function networkOf(cli: Cli, name: string): Network {
  const network = configuredNetwork(cli, name)
  if (isVirtual(network)) throw new ValidationError(`${network.name} needs no contracts: register a wallet by --wallet`)
  if (!needsContracts(network)) throw new ValidationError(`${network.name} needs no contracts`)
  return network
}

function virtualNetwork(cli: Cli, name: string): EvmNetwork {
  const network = configuredNetwork(cli, name)
  if (isVirtual(network)) return network
  throw new ValidationError(`${network.name} has no virtual addresses: its setting deposits is not "virtual"`)
}

const isVirtual = (network: Network): network is EvmNetwork => 'deposits' in network && network.deposits === 'virtual'

function configuredNetwork(cli: Cli, name: string): Network {
  refuseWithoutService(cli)
  const { networks } = cli.config('none')
  const network = findNetwork(networks, name)
  if (network) return network
  const known = [...networks.keys()].join(', ') || 'none'
  throw new ValidationError(`there is no network "${name}" in the configuration (there: ${known})`)
}

/** Wei as text: JSON numbers cannot represent it exactly. */
function bodyOf({ cost, paid, ...report }: DeploymentReport) {
  return {
    ...report,
    cost: cost && { gas: String(cost.gas), feePerGas: String(cost.feePerGas), total: String(cost.total) },
    paid: paid && { by: paid.by, amount: String(paid.amount) },
  }
}

function parseUrl(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new InvalidArgumentError('It must be an http(s) address.')
  return text
}
