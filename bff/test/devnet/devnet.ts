import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { chooseDevnetPorts } from '../processes/ports.ts'
import { createSupervisor, type Supervisor } from '../processes/supervisor.ts'
import { type Anvil, startAnvil } from './anvil.ts'
import { type DeployedNetwork, deployNetwork } from './deploy.ts'
import { type SolanaDevnet, startSolana } from './solana/solana.ts'
import { startTempo, type TempoDevnet } from './tempo.ts'
import { startTron, type TronDevnet } from './tron/tron-devnet.ts'

type Hex = `0x${string}`

/** An account whose key was generated at this start. */
export type Account = { privateKey: Hex; address: Hex }

export type DevnetNetwork = {
  shortName: 'devnet' | 'devnet-b'
  name: string
  family: 'evm'
  chainId: number
  rpcUrl: string
  factory: Hex
  splitter: Hex
  merchantWallet: Hex
  platformWallet: Hex
  tokens: DeployedNetwork['tokens']
}

export type Devnet = {
  networks: readonly [DevnetNetwork, DevnetNetwork]
  /** The local Solana, with its own accounts. */
  solana: SolanaDevnet
  /** The local Tempo; null if not requested. */
  tempo: TempoDevnet | null
  /** The local Tron; null if not requested. */
  tron: TronDevnet | null
  /** Holds gas, and 100,000 of each token on every EVM network. */
  customer: Account
  /** Pays the service's gas. */
  operator: Account
  /** Owns the test tokens: may pause them, blacklist, and enable USDT's fee. */
  tokenOwner: Account
  /** Current process ids by the network's short name. */
  pids(): Record<string, number>
  stop(): Promise<void>
}

export type DevnetOptions = {
  /** Existing folder for the chains' state and logs. */
  dataDir: string
  ports?: readonly [number, number]
  /** Default: any free port. */
  solanaPort?: number
  /** Port of the local Tempo; absent: it is not started. */
  tempoPort?: number
  /** Port of the chain behind the local Tron's nodes; absent: it is not started. */
  tronPort?: number
  /** Whether a killed EVM chain restarts with its state, which takes a poll ten times a second. Default: true. */
  keepsState?: boolean
  /** Seconds between blocks, in addition to one per transaction; `null`: transactions only. Default: 1. */
  blockTimeSeconds?: number | null
  /** Keeps the chains running; its owner stops it. Default: a new one. */
  supervisor?: Supervisor
  /** Called with one sentence when a chain died and is restarted; only with a default supervisor. */
  onLog?: (sentence: string) => void
}

const chains = [
  { shortName: 'devnet', name: 'Devnet', chainId: 31337 },
  { shortName: 'devnet-b', name: 'Devnet B', chainId: 31338 },
] as const

/** Starts the chains, deploys contracts and tokens, funds the accounts. Leaves nothing running if it fails. */
export async function startDevnet(options: DevnetOptions): Promise<Devnet> {
  const { onLog, dataDir } = options
  const supervisor = options.supervisor ?? createSupervisor(onLog === undefined ? {} : { report: onLog })
  const ports = options.ports ?? (await chooseDevnetPorts())
  const [customer, operator, tokenOwner] = [newAccount(), newAccount(), newAccount()]
  const wallets = { merchant: newAccount().address, platform: newAccount().address }
  const anvils: Pick<Anvil, 'stop'>[] = []

  const stop = async () => {
    for (const anvil of anvils) await anvil.stop()
    if (options.supervisor === undefined) await supervisor.stop()
  }

  const startNetwork = async (chain: (typeof chains)[number], port: number): Promise<DevnetNetwork> => {
    const { chainId, shortName } = chain
    const anvil = await startAnvil({
      chainId,
      port,
      name: shortName,
      logPath: join(dataDir, `${shortName}.log`),
      supervisor,
      ...((options.keepsState ?? true) && { statePath: join(dataDir, `${shortName}.chain.json`) }),
      ...(options.blockTimeSeconds === null ? {} : { blockTimeSeconds: options.blockTimeSeconds ?? 1 }),
    })
    anvils.push(anvil)
    const people = { customer: customer.address, operator: operator.address, ...wallets }
    const deployed = await deployNetwork({ rpcUrl: anvil.rpcUrl, chainId, tokenOwner, people })
    return {
      ...chain,
      family: 'evm',
      rpcUrl: anvil.rpcUrl,
      factory: deployed.factory,
      splitter: deployed.splitter,
      merchantWallet: wallets.merchant,
      platformWallet: wallets.platform,
      tokens: deployed.tokens,
    }
  }

  const startTempoNetwork = async (port: number): Promise<TempoDevnet> => {
    const { blockTimeSeconds } = options
    const { anvil, ...tempo } = await startTempo({
      dataDir,
      port,
      customer,
      supervisor,
      ...(blockTimeSeconds !== undefined && { blockTimeSeconds }),
    })
    anvils.push(anvil)
    return tempo
  }

  const startTronNetwork = async (port: number): Promise<TronDevnet> => {
    const tron = await startTron({ dataDir, port, customer, supervisor })
    anvils.push(tron)
    return tron
  }

  // Waits for all before reporting a failure, so that nothing starts after the stop.
  const [first, second, third, fourth, fifth] = await Promise.allSettled([
    startNetwork(chains[0], ports[0]),
    startNetwork(chains[1], ports[1]),
    startSolana({
      dataDir,
      supervisor,
      ...(options.solanaPort !== undefined && { port: options.solanaPort }),
      ...(options.blockTimeSeconds === null && { slotMs: null }),
    }),
    options.tempoPort === undefined ? null : startTempoNetwork(options.tempoPort),
    options.tronPort === undefined ? null : startTronNetwork(options.tronPort),
  ])
  if (
    first.status === 'fulfilled' &&
    second.status === 'fulfilled' &&
    third.status === 'fulfilled' &&
    fourth.status === 'fulfilled' &&
    fifth.status === 'fulfilled'
  ) {
    const pids = () => Object.fromEntries(Object.entries(supervisor.pids()).filter(([name]) => isChain(name)))
    const networks = [first.value, second.value] as const
    const [solana, tempo, tron] = [third.value, fourth.value, fifth.value]
    return { networks, solana, tempo, tron, customer, operator, tokenOwner, pids, stop }
  }
  await stop()
  throw [first, second, third, fourth, fifth].find((one) => one.status === 'rejected')?.reason
}

const isChain = (name: string) =>
  ['solana-devnet', 'tempo-devnet', 'tron-devnet'].includes(name) || chains.some(({ shortName }) => shortName === name)

function newAccount(): Account {
  const privateKey = generatePrivateKey()
  return { privateKey, address: privateKeyToAddress(privateKey) }
}
