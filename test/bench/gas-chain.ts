import { deployContracts } from '@stablecoin-checkout/bff/testing/evm'
import { permit2 } from '@stablecoin-checkout/rig/devnet/deploy'
import { receiptOf } from '@stablecoin-checkout/rig/devnet/receipt'
import { testUsdc } from '@stablecoin-checkout/rig/devnet/tokens.generated'
import {
  type Address,
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  parseEther,
  publicActions,
  type TransactionReceipt,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

export type GasChain = Awaited<ReturnType<typeof openGasChain>>

/** A chain with the contracts on it, and one account that sends everything. */
export async function openGasChain(chainId: number, rpcUrl: string) {
  const chain = {
    id: chainId,
    name: 'bench',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  }
  const transport = http(rpcUrl)
  const reader = createTestClient({ mode: 'anvil', chain, transport }).extend(publicActions)
  const account = privateKeyToAccount(generatePrivateKey())
  const sender = createWalletClient({ chain, transport, account, pollingInterval: 20 })
  await reader.setBalance({ address: account.address, value: parseEther('100') })
  await deployContracts({ reader, sender })
  await reader.setCode({ address: permit2.address, bytecode: permit2.code })

  async function send(to: Address | undefined, data: Hex): Promise<TransactionReceipt> {
    const hash = await sender.sendTransaction({ data, ...(to === undefined ? {} : { to }) })
    const receipt = await receiptOf(reader, hash)
    if (receipt.status !== 'success') throw new Error(`Transaction ${hash} reverted.`)
    return receipt
  }

  return {
    /** The sender's coins, for the gas of another account. */
    async sendCoins(to: Address, value: bigint): Promise<TransactionReceipt> {
      const hash = await sender.sendTransaction({ to, value })
      return await receiptOf(reader, hash)
    },
    chainId,
    account,
    reader,
    send,
    async deploy(bytecode: Hex): Promise<Address> {
      const { contractAddress } = await send(undefined, bytecode)
      if (!contractAddress) throw new Error('The contract was not deployed.')
      return contractAddress
    },
    /** Every token of the bench mints like the test USDC. */
    mint: (token: Address, to: Address, amount: bigint) =>
      send(token, encodeFunctionData({ abi: testUsdc.abi, functionName: 'mint', args: [to, amount] })),
  }
}

export function newAddress(): Address {
  return privateKeyToAccount(generatePrivateKey()).address
}
