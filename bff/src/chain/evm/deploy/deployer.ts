import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Account,
  type Address,
  BaseError,
  type Chain,
  concat,
  type Hex,
  keccak256,
  NonceTooLowError,
  type PublicClient,
  type Transport,
  type WalletClient,
} from 'viem'
import { OperatorError } from '../../../core/errors.ts'
import { rpcErrorOf } from '../../rpc-pool.ts'
import {
  depositFactory,
  deterministicDeployer,
  factoryAddress,
  factorySalt,
  paymentSplitter,
} from './contracts.generated.ts'
import { minedReceipt } from './mined-receipt.ts'

export type DeployClients = {
  reader: PublicClient
  /** Pays for the deployment; has no rights over the contracts. */
  sender: WalletClient<Transport, Chain | undefined, Account>
}

export type DeployedContract = {
  name: 'deposit factory' | 'payment splitter'
  address: Address
  /** Hash of the expected code at the address. */
  codeHash: Hex
  bytecode: Hex
}

export const deployedContracts: readonly [DeployedContract, DeployedContract] = [
  {
    name: 'deposit factory',
    address: factoryAddress,
    codeHash: depositFactory.codeHash,
    bytecode: depositFactory.bytecode,
  },
  {
    name: 'payment splitter',
    address: paymentSplitter.address,
    codeHash: paymentSplitter.codeHash,
    bytecode: paymentSplitter.bytecode,
  },
]

/** If the one deployment transaction is not mined in this time, the operator must check the chain. */
const receiptTimeoutMs = 120_000

/** `TLOAD(0)`, the newest instruction that the contracts use, run as a constructor. */
const newestInstruction = '0x5f5c00'

/**
 * Deploys the missing contracts, at the same addresses on every EVM chain. Safe to repeat and to run concurrently.
 * @throws when the chain does not support them, or an address has other code.
 */
export async function deployContracts(
  clients: DeployClients,
  onProgress: (label: string, done: number, total: number) => void = () => undefined,
): Promise<void> {
  const missing = await missingContracts(clients.reader)
  for (const [index, contract] of missing.entries()) {
    onProgress(`deploy the ${contract.name}`, index, missing.length)
    await deployContract(clients, contract)
    onProgress(`deploy the ${contract.name}`, index + 1, missing.length)
  }
}

/**
 * The contracts missing on this chain.
 * @throws when the chain lacks the deterministic deployer or the instruction, or an address has other code.
 */
export async function missingContracts(reader: PublicClient): Promise<DeployedContract[]> {
  const missing: DeployedContract[] = []
  for (const contract of deployedContracts) if (!(await isDeployed(reader, contract))) missing.push(contract)
  if (missing.length > 0) await checkChain(reader)
  return missing
}

/** The deployment transaction. */
export function deploymentOf({ bytecode }: DeployedContract): { to: Address; data: Hex } {
  return { to: deterministicDeployer, data: concat([factorySalt, bytecode]) }
}

async function deployContract({ reader, sender }: DeployClients, contract: DeployedContract): Promise<void> {
  const endsAtMs = performance.now() + receiptTimeoutMs
  while (true) {
    // Again after a refusal: another replica may have sent this deployment in the same instant.
    await untilMined(reader, sender.account.address)
    if (await isDeployed(reader, contract)) return
    try {
      const hash = await sender.sendTransaction({
        account: sender.account,
        chain: sender.chain ?? null,
        ...deploymentOf(contract),
      })
      // Only the code counts.
      await minedReceipt(reader, hash, { pollMs: reader.pollingInterval, timeoutMs: receiptTimeoutMs })
      if (await isDeployed(reader, contract)) return
    } catch (error) {
      // The deployer refuses a second deployment, so a failure may mean that another run was faster.
      if (await isDeployed(reader, contract)) return
      if (!isNonceUsed(error) || performance.now() > endsAtMs) throw error
      // Some nodes count no pending transactions: they show the other replica's only once it is mined.
      await sleep(reader.pollingInterval)
      continue
    }
    throw new Error(`The ${contract.name} is not at ${contract.address}, although its deployment was sent.`)
  }
}

/**
 * Waits for the account's pending transactions: one of them may be this deployment, sent by a process that ended. A second
 * deployment would find the address taken and waste its fee.
 * @throws when they are still not mined after two minutes.
 */
async function untilMined(reader: PublicClient, address: Address): Promise<void> {
  const endsAtMs = performance.now() + receiptTimeoutMs
  const countAt = (blockTag: 'latest' | 'pending') => reader.getTransactionCount({ address, blockTag })
  while ((await countAt('pending')) > (await countAt('latest'))) {
    if (performance.now() > endsAtMs) {
      throw new OperatorError(`A transaction of ${address} is not mined yet, so nothing was sent. Try again later.`)
    }
    await sleep(reader.pollingInterval)
  }
}

/** viem has no error for a transaction whose nonce another one has that waits for a block, and pays at least as much. */
const isUnderpriced = (error: unknown): boolean =>
  /replacement transaction underpriced/i.test(rpcErrorOf(error)?.details ?? '')

/** Another transaction of the account, such as one of a concurrent run, took the nonce before this one was broadcast. */
const isNonceUsed = (error: unknown): boolean =>
  error instanceof BaseError && (isUnderpriced(error) || error.walk((one) => one instanceof NonceTooLowError) !== null)

/** @throws when the address has other code, possible only on a chain with its own rules. */
async function isDeployed(reader: PublicClient, { name, address, codeHash }: DeployedContract): Promise<boolean> {
  const code = await reader.getCode({ address })
  if (code === undefined || code === '0x') return false
  if (keccak256(code) === codeHash) return true
  throw new Error(`Chain ${await reader.getChainId()} has other code at ${address} than that of the ${name}.`)
}

async function checkChain(reader: PublicClient): Promise<void> {
  const chainId = await reader.getChainId()
  const code = await reader.getCode({ address: deterministicDeployer })
  if (code === undefined || code === '0x') {
    throw new Error(
      `Chain ${chainId} has no contract at ${deterministicDeployer}, through which the contracts get ` +
        'their addresses. Deploy it first: https://github.com/Arachnid/deterministic-deployment-proxy',
    )
  }
  try {
    await reader.call({ data: newestInstruction })
  } catch (error) {
    throw new Error(`Chain ${chainId} cannot run the payment splitter: it lacks transient storage (EIP-1153).`, {
      cause: error,
    })
  }
}
