import { Command, InvalidArgumentError } from '@commander-js/extra-typings'
import {
  type DeploymentReport,
  deploy,
  deployerAccount,
  describeDeployment,
} from '../../chain/evm/deploy/deploy-contracts.ts'
import { operatorAccount } from '../../chain/evm/signer/operator.ts'
import { familyOf } from '../../chain/index.ts'
import { ValidationError } from '../../core/errors.ts'
import { findNetwork } from '../../core/families.ts'
import { type Cli, jsonOption } from './cli.ts'

const description = `put the contracts on a chain where they are missing, at the same addresses as everywhere

Without a payer it shows what is missing and what it would cost. With DEPLOYER_PRIVATE_KEY in the environment, or
--as-operator, it deploys, and compares the code afterwards. The key only pays: it gets no right over the contracts. Safe to repeat.`

export function deployCommand(cli: Cli) {
  return new Command('deploy')
    .summary('put the contracts on a chain')
    .description(description)
    .argument('[network]', 'of the configuration')
    .option('--rpc-url <url>', 'a node, where the chain is not in the configuration', parseUrl)
    .option('--as-operator', 'the operator of the configuration pays')
    .option(...jsonOption)
    .action((name, options, command) => {
      if ((name === undefined) === (options.rpcUrl === undefined)) {
        command.error('error: name either a network or a node (--rpc-url)')
      }
      return cli.answer(options, async () => {
        const key = cli.env()['DEPLOYER_PRIVATE_KEY']
        const payer = options.asOperator ? operatorOf(cli) : key ? deployerAccount(key) : null
        const { rpcUrl, chainId } =
          name === undefined ? { rpcUrl: options.rpcUrl ?? '', chainId: null } : nodeOf(cli, name)
        const report = await deploy(rpcUrl, chainId, payer)
        return { json: bodyOf(report), text: describeDeployment(report) }
      })
    })
}

function operatorOf(cli: Cli) {
  const { operator } = cli.config()
  if (operator === null) throw new ValidationError('the configuration has no operator')
  return operatorAccount(operator)
}

function nodeOf(cli: Cli, name: string): { rpcUrl: string; chainId: number } {
  const { networks } = cli.config()
  const network = findNetwork(networks, name)
  if (network && !familyOf(network).hasContracts)
    throw new ValidationError(`there are no contracts of ours on ${network.name}`)
  const [rpcUrl] = network?.rpcUrls ?? []
  if (!network || rpcUrl === undefined) {
    const known = [...networks.keys()].join(', ') || 'none'
    throw new ValidationError(`there is no network "${name}" in the configuration (there: ${known})`)
  }
  return { rpcUrl, chainId: network.chainId }
}

/** Whole numbers of wei do not fit into JSON's. */
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
