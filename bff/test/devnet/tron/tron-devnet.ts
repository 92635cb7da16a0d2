import { join } from 'node:path'
import type { Address, Hex } from 'viem'
import type { Supervisor } from '../../processes/supervisor.ts'
import { openTronChain } from './tron.ts'

export type TronNetwork = {
  shortName: 'tron-devnet'
  name: string
  family: 'tron'
  chainId: number
  /** URL of the chain behind the nodes, which no Tron node exposes. */
  rpcUrl: string
  /** JSON-RPC URLs of the nodes. */
  nodes: string[]
  /** In hex. */
  tokens: { USDT: { address: Address; decimals: number } }
}

export type TronDevnet = { network: TronNetwork; stop(): Promise<void> }

type TronOptions = {
  dataDir: string
  port: number
  /** Holds the test tokens. */
  customer: { privateKey: Hex }
  /** Keeps the chain running; its owner stops it. */
  supervisor: Supervisor
}

/** Faster than Tron's 3 seconds: a transfer is final after a third of a minute. */
const blockTimeSeconds = 1

/** The chain as a part of the devnet that survives a kill, with two in-process nodes. */
export async function startTron({ dataDir, port, customer, supervisor }: TronOptions): Promise<TronDevnet> {
  const shortName = 'tron-devnet'
  const tron = await openTronChain({
    blockTimeSeconds,
    customerKey: customer.privateKey,
    anvil: {
      port,
      supervisor,
      name: shortName,
      statePath: join(dataDir, `${shortName}.chain.json`),
      logPath: join(dataDir, `${shortName}.log`),
    },
  })
  const { chainId, rpcUrl, nodes, usdt, stop } = tron
  return {
    network: {
      shortName,
      name: 'Tron Devnet',
      family: 'tron',
      chainId,
      rpcUrl,
      nodes: nodes.map((node) => node.rpcUrl),
      tokens: { USDT: { address: usdt, decimals: 6 } },
    },
    stop,
  }
}
