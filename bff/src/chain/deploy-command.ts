import { parseArgs } from 'node:util'
import {
  createPublicClient,
  createWalletClient,
  formatEther,
  formatGwei,
  type Hex,
  http,
  type PublicClient,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import {
  type DeployedContract,
  deployContracts,
  deployedContracts,
  deploymentOf,
  missingContracts,
} from './evm-deploy.ts'
import { faultText } from './fault-text.ts'

const usage = `Usage: npm run deploy -w bff -- --rpc-url URL
Shows which contracts the chain lacks and what they would cost. With DEPLOYER_PRIVATE_KEY in the environment, deploys them.
The key only pays: it gets no right over the contracts. Safe to repeat.
`

type Io = { env: Readonly<Record<string, string | undefined>>; write: (text: string) => void }

type Plan = { chainId: number; missing: readonly DeployedContract[]; gas: bigint; feePerGas: bigint }

/** Runs `npm run deploy`. @returns the exit code; never throws. */
export async function deployCommand(args: readonly string[], io: Io): Promise<number> {
  try {
    const { values } = parseArgs({ args: [...args], options: { 'rpc-url': { type: 'string' } } })
    const rpcUrl = values['rpc-url']
    if (rpcUrl === undefined || !/^https?:\/\//.test(rpcUrl))
      throw new TypeError('--rpc-url must be an http(s) address.')
    const key = io.env['DEPLOYER_PRIVATE_KEY']?.trim()
    if (key && !/^0x[0-9a-fA-F]{64}$/.test(key))
      throw new TypeError('DEPLOYER_PRIVATE_KEY must be 0x and 64 hex digits.')
    await run(rpcUrl, key ? (key as Hex) : undefined, io)
    return 0
  } catch (error) {
    io.write(error instanceof TypeError ? `${error.message}\n${usage}` : `${faultText(error)}\n`)
    return 1
  }
}

async function run(rpcUrl: string, key: Hex | undefined, { write }: Io): Promise<void> {
  const transport = http(rpcUrl)
  const reader = createPublicClient({ transport })
  const plan = await planDeployment(reader)
  write(describe(plan))
  if (plan.missing.length === 0) return
  if (key === undefined) {
    write('Nothing was sent. To deploy, set DEPLOYER_PRIVATE_KEY to the key of an account that can pay this.\n')
    return
  }
  const account = privateKeyToAccount(key)
  const balance = await reader.getBalance({ address: account.address })
  const cost = plan.gas * plan.feePerGas
  if (balance < cost) {
    throw new Error(
      `${account.address} holds ${formatEther(balance)} of the chain's coin and needs ${formatEther(cost)}.`,
    )
  }
  await deployContracts({ reader, sender: createWalletClient({ transport, account }) })
  write(`Deployed, paid by ${account.address}; ${formatEther(await spent(reader, account.address, balance))} spent.\n`)
}

async function planDeployment(reader: PublicClient): Promise<Plan> {
  const chainId = await reader.getChainId()
  const missing = await missingContracts(reader)
  const gasOf = (contract: DeployedContract) => reader.estimateGas(deploymentOf(contract))
  const gas = (await Promise.all(missing.map(gasOf))).reduce((sum, one) => sum + one, 0n)
  const fees = missing.length > 0 ? await feePerGas(reader) : 0n
  return { chainId, missing, gas, feePerGas: fees }
}

/** The most that a transaction of now would pay; on chains without a base fee, the node's price. Wei. */
async function feePerGas(reader: PublicClient): Promise<bigint> {
  try {
    return (await reader.estimateFeesPerGas()).maxFeePerGas
  } catch {
    return await reader.getGasPrice()
  }
}

function describe({ chainId, missing, gas, feePerGas }: Plan): string {
  const lines = deployedContracts.map((contract) => {
    const state = missing.includes(contract) ? 'missing' : 'there, with the right code'
    return `${contract.name.padEnd(16)}  ${contract.address}  ${state}\n`
  })
  if (missing.length === 0) return `Chain ${chainId}\n${lines.join('')}Nothing to do.\n`
  const cost = `${gas} gas at ${formatGwei(feePerGas)} gwei at most: ${formatEther(gas * feePerGas)} of the chain's coin`
  return `Chain ${chainId}\n${lines.join('')}To deploy: ${cost} (on some chains a fee for data comes on top).\n`
}

async function spent(reader: PublicClient, address: Hex, before: bigint): Promise<bigint> {
  return before - (await reader.getBalance({ address }))
}
