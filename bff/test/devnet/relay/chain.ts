import { createPublicClient, createTestClient, createWalletClient, http, parseAbi, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { TestTokens } from '../deploy.ts'
import { devnetChain } from '../deploy.ts'
import { receiptOf } from '../receipt.ts'

type Hex = `0x${string}`

/** A relay's view of a devnet chain. */
export type RelayNetwork = { name: string; chainId: number; rpcUrl: string; tokens: TestTokens }

/** USDT returns nothing and USDC a boolean; without outputs, one ABI serves both. A refused transfer reverts in either. */
const abi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function mint(address to, uint256 amount)',
  'function balanceOf(address account) view returns (uint256)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

const gasMoney = parseEther('1')
const receiptTimeoutMs = 20_000

export type RelayChain = ReturnType<typeof openRelayChain>

/** The emulator's account on one chain. It has unlimited tokens, because anyone may mint test tokens. */
export function openRelayChain({ name, chainId, rpcUrl, tokens }: RelayNetwork) {
  const chain = devnetChain(rpcUrl, chainId)
  const transport = http(rpcUrl)
  const reader = createPublicClient({ chain, transport, pollingInterval: 25, cacheTime: 0 })
  const node = createTestClient({ chain, transport, mode: 'anvil' })
  const solver = generatePrivateKey()

  async function send(privateKey: Hex, token: Hex, functionName: 'transfer' | 'mint', to: Hex, amount: bigint) {
    const account = privateKeyToAccount(privateKey)
    await node.setBalance({ address: account.address, value: gasMoney })
    const wallet = createWalletClient({ chain, transport, account })
    const hash = await wallet.writeContract({ address: token, abi, functionName, args: [to, amount] })
    const { status } = await receiptOf(reader, hash, receiptTimeoutMs)
    if (status !== 'success') throw new Error(`${name}: the token refused ${functionName} in ${hash}`)
    return hash
  }

  return {
    name,
    chainId,
    tokens,
    head: () => reader.getBlockNumber({ cacheTime: 0 }),
    balance: (token: Hex, address: Hex) =>
      reader.readContract({ address: token, abi, functionName: 'balanceOf', args: [address] }),
    /** The last sender of tokens to the address, and the transaction. */
    async newestTransfer(token: Hex, to: Hex, fromBlock: bigint): Promise<{ payer: Hex; txHash: Hex } | undefined> {
      const query = { address: token, abi, eventName: 'Transfer', args: { to }, fromBlock } as const
      const log = (await reader.getContractEvents(query)).at(-1)
      return log?.args.from === undefined ? undefined : { payer: log.args.from, txHash: log.transactionHash }
    },
    /** @returns the transaction once it is mined. */
    transfer: (privateKey: Hex, token: Hex, to: Hex, amount: bigint) => send(privateKey, token, 'transfer', to, amount),
    /** Pays from the emulator's own account. */
    async pay(token: Hex, to: Hex, amount: bigint): Promise<Hex> {
      await send(solver, token, 'mint', privateKeyToAccount(solver).address, amount)
      return await send(solver, token, 'transfer', to, amount)
    },
    solver: privateKeyToAccount(solver).address,
  }
}
