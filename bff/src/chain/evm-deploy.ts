import {
  type Account,
  type Address,
  type Chain,
  concat,
  type PublicClient,
  type Transport,
  type WalletClient,
} from 'viem'
import { depositFactory, deterministicDeployer, factoryAddress, factorySalt } from './contracts.generated.ts'

export type DeployClients = {
  reader: PublicClient
  /** Pays for the deployment (1.8 million gas); the contracts give it no right. */
  sender: WalletClient<Transport, Chain | undefined, Account>
}

/** Deploying is one ordinary transaction: a chain that has not included it by then needs a human. */
const receiptTimeoutMs = 120_000

/**
 * Puts the deposit factory at its address, the same on every EVM chain, unless it is there already.
 * Safe to repeat and to run from several places at once: whoever comes second finds it done.
 * @returns the factory's address.
 * @throws when the chain lacks the deterministic deployer, or the factory is not there afterwards.
 */
export async function deployFactory({ reader, sender }: DeployClients): Promise<Address> {
  if (await hasCode(reader, factoryAddress)) return factoryAddress
  if (!(await hasCode(reader, deterministicDeployer))) {
    throw new Error(
      `Chain ${await reader.getChainId()} has no contract at ${deterministicDeployer}, through which the deposit factory gets ` +
        'its address. Deploy it first: https://github.com/Arachnid/deterministic-deployment-proxy',
    )
  }
  try {
    const hash = await sender.sendTransaction({
      account: sender.account,
      chain: sender.chain ?? null,
      to: deterministicDeployer,
      data: concat([factorySalt, depositFactory.bytecode]),
    })
    await reader.waitForTransactionReceipt({ hash, timeout: receiptTimeoutMs })
  } catch (error) {
    // The deployer refuses a second deployment, so a failure may mean that someone else was faster: only the code counts.
    if (!(await hasCode(reader, factoryAddress))) throw error
  }
  if (await hasCode(reader, factoryAddress)) return factoryAddress
  throw new Error(`The deposit factory is not at ${factoryAddress}, although its deployment was sent.`)
}

async function hasCode(reader: PublicClient, address: Address): Promise<boolean> {
  const code = await reader.getCode({ address })
  return code !== undefined && code !== '0x'
}
