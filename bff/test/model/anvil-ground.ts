import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { rpcCall } from '../devnet/rpc.ts'
import { testUsdc, testUsdt } from '../devnet/tokens.generated.ts'
import { otherToken, token } from './network.ts'
import type { Ground, ModelBlock, ModelTransaction, ModelTransfer, Pay } from './port.ts'

const mintAbi = parseAbi(['function mint(address to, uint256 amount)'])
/** keccak256("Transfer(address,address,uint256)"), ERC-20. */
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Two calls of 68 bytes, each after its target as a word: one transaction with two transfers. */
const pairContract = `0x${'ba'.repeat(20)}` as const
/** CALLDATACOPY of a call to memory, CALL of the target before it, POP; once for each call. */
const pairCode = `0x${['00', '64'].map((at) => `604460${plusWord(at)}6000376000600060446000600060${at}355af150`).join('')}`
const gas = '0x60000'

type Block = { number: Hex; hash: Hex; parentHash: Hex; timestamp: Hex; transactions: Hex[] }
type Log = { address: Hex; topics: Hex[]; data: Hex; transactionHash: Hex; logIndex: Hex }

function plusWord(at: string): string {
  return (Number.parseInt(at, 16) + 32).toString(16)
}

const mint = ({ to, amount }: Pay) =>
  encodeFunctionData({ abi: mintAbi, functionName: 'mint', args: [to as Address, amount] })
const contractOf = ({ isOurToken }: Pay) => (isOurToken ? token : otherToken)

/** Each transaction has its own sender, so that it stays the same in any block. */
function toRequest({ serial, pays }: ModelTransaction) {
  const [first, second] = pays
  if (!first) throw new Error(`Transaction ${serial} pays nothing`)
  const from = `0x5e${serial.toString(16).padStart(38, '0')}`
  if (!second) return { from, to: contractOf(first), data: mint(first), gas, gasPrice: '0x0' }
  const calls = [first, second].map((pay) => `${contractOf(pay).slice(2).padStart(64, '0')}${mint(pay).slice(2)}`)
  return { from, to: pairContract, data: `0x${calls.join('')}`, gas, gasPrice: '0x0' }
}

/**
 * The blocks of a real anvil, mined on command. Their content is read back directly, bypassing adapter and lies. Mining again
 * with the same parent, time, transactions and beneficiary produces the same block. For tests.
 */
export async function createAnvilGround(rpcUrl: string): Promise<Ground> {
  const rpc = <T>(method: string, ...params: unknown[]) => rpcCall(rpcUrl, method, params) as Promise<T>
  const branches = new Map<string, number>()
  /** Number of the newest block; a fresh anvil gives its blocks' fees to nobody. */
  let mined = 0

  async function newest(transactions: readonly ModelTransaction[]): Promise<ModelBlock> {
    const block = await rpc<Block>('eth_getBlockByNumber', 'latest', false)
    const { hash, parentHash } = block
    if (block.transactions.length !== transactions.length) throw new Error(`anvil left transactions out of ${hash}`)
    const query = { blockHash: hash, topics: [transferTopic] }
    const logs = transactions.length === 0 ? [] : await rpc<Log[]>('eth_getLogs', query)
    const pays = transactions.reduce((sum, one) => sum + one.pays.length, 0)
    if (logs.length !== pays) throw new Error(`anvil made ${logs.length} transfers of ${pays} in ${hash}`)
    return {
      number: Number(block.number),
      hash,
      parentHash,
      timeMs: Number(block.timestamp) * 1_000,
      transactions,
      transfers: logs.map(toTransfer),
    }
  }

  async function mineAt(timeMs: number, transactions: readonly ModelTransaction[], branch: number) {
    if (branch !== mined) await rpc('anvil_setCoinbase', `0x${branch.toString(16).padStart(40, '0')}`)
    mined = branch
    for (const transaction of transactions) await rpc('eth_sendTransaction', toRequest(transaction))
    await rpc('evm_setNextBlockTimestamp', timeMs / 1_000)
    await rpc('evm_mine')
    const block = await newest(transactions)
    branches.set(block.hash, branch)
    return block
  }

  await rpc('evm_setAutomine', false)
  await rpc('anvil_autoImpersonateAccount', true)
  // A block's fee would reveal how often it was mined; at zero it stays the same, and nobody needs coins.
  await rpc('anvil_setNextBlockBaseFeePerGas', '0x0')
  for (const [at, { bytecode }] of [[token, testUsdc] as const, [otherToken, testUsdt] as const]) {
    // A constructor returns its contract's code.
    await rpc('anvil_setCode', at, await rpc('eth_call', { from: pairContract, data: bytecode }, 'latest'))
  }
  await rpc('anvil_setCode', pairContract, pairCode)
  // Mine a block, so that state set manually is part of the past to which a reorg returns.
  await rpc('evm_mine')

  return {
    genesis: await newest([]),
    mine: (parent, transactions, seconds, branch) => mineAt(parent.timeMs + seconds * 1_000, transactions, branch),
    cut: async (depth) => void (await rpc('anvil_rollback', depth)),
    async restore(blocks) {
      for (const { hash, timeMs, transactions } of blocks) {
        const again = await mineAt(timeMs, transactions, branches.get(hash) ?? 0)
        if (again.hash !== hash) throw new Error(`anvil made ${again.hash} of ${hash}`)
      }
    },
  }
}

function toTransfer({ address, topics, data, transactionHash, logIndex }: Log): ModelTransfer {
  return {
    txId: transactionHash,
    logIndex: Number(logIndex),
    to: `0x${topics[2]?.slice(26)}`,
    source: address,
    amount: BigInt(data),
    isOurToken: address === token,
  }
}
