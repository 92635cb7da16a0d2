import { type Address, createWalletClient, type Hex, http, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { openAnvilClient } from '../../anvil-client.ts'
import { type AnvilOptions, startAnvil } from '../anvil.ts'
import { devnetChain } from '../deploy.ts'
import { receiptOf } from '../receipt.ts'
import { testTronUsdt } from '../tokens.generated.ts'
import { serveTron, type TronNode } from './server.ts'

/** Interval of Tron's witnesses. */
const blockSeconds = 3

/** The id of no real Tron network. */
const defaultChainId = 728_100_001

const mintAbi = parseAbi(['function mint(address to, uint256 amount)'])

/**
 * A chain in Tron's form with a USDT, and the requested number of nodes in front of it. Each transaction is a block, 3 seconds
 * later than the previous one; `mine` adds more.
 * @param blockTimeSeconds - Also makes a block at this interval of real time.
 */
export async function openTronChain({
  chainId = defaultChainId,
  nodes: count = 2,
  blockTimeSeconds,
  customerKey = generatePrivateKey(),
  anvil: more = {},
}: {
  chainId?: number
  nodes?: number
  blockTimeSeconds?: number
  /** Holds the test tokens, and gas. Default: a new one. */
  customerKey?: Hex
  anvil?: Pick<AnvilOptions, 'port' | 'name' | 'statePath' | 'logPath' | 'supervisor'>
} = {}) {
  const anvil = await startAnvil({ chainId, ...more, ...(blockTimeSeconds !== undefined && { blockTimeSeconds }) })
  const { rpcUrl } = anvil
  const chain = openAnvilClient(rpcUrl, chainId)
  const customer = privateKeyToAccount(customerKey)
  const sender = createWalletClient({ chain: devnetChain(rpcUrl, chainId), transport: http(rpcUrl), account: customer })
  await chain.setBalance({ address: customer.address, value: 10n ** 24n })
  if (blockTimeSeconds === undefined) await chain.setBlockTimestampInterval({ interval: blockSeconds })

  async function mined(hash: Hex) {
    return await receiptOf(chain, hash)
  }

  async function deployToken(): Promise<Address> {
    const { abi, bytecode } = testTronUsdt
    const { contractAddress } = await mined(await sender.deployContract({ abi, bytecode }))
    if (typeof contractAddress !== 'string') throw new Error('Deploying the test token failed')
    const mint = { address: contractAddress, abi: mintAbi, functionName: 'mint' } as const
    await mined(await sender.writeContract({ ...mint, args: [customer.address, 10n ** 15n] }))
    return contractAddress
  }

  const usdt = await deployToken()
  const nodes: TronNode[] = []
  for (let index = 0; index < count; index++) nodes.push(await serveTron(rpcUrl, chainId))

  return {
    chainId,
    /** URL of the chain behind the nodes. */
    rpcUrl,
    chain,
    nodes,
    /** In hex. */
    usdt,
    customer,
    /** Deploys another token of the same kind. */
    deployToken,
    mine: (blocks: number) => chain.mine({ blocks, interval: blockSeconds }),
    /** Transfers tokens; resolves once the transaction is in a block. */
    async transfer(to: Address, amount: bigint, token: Address = usdt) {
      const { abi } = testTronUsdt
      return await mined(
        await sender.writeContract({ address: token, abi, functionName: 'transfer', args: [to, amount] }),
      )
    },
    /** Approves another account, and moves nothing; resolves once the transaction is in a block. */
    async approve(spender: Address, amount: bigint) {
      const { abi } = testTronUsdt
      return await mined(
        await sender.writeContract({ address: usdt, abi, functionName: 'approve', args: [spender, amount] }),
      )
    },
    /** Removes the newest blocks with their transactions, and makes as many others. */
    reorg: (depth: number) => chain.request({ method: 'anvil_reorg', params: [depth, []] } as never),
    async stop() {
      for (const node of nodes) await node.stop()
      await anvil.stop()
    },
  }
}
