import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, host } from '../processes/ports.ts'
import { createSupervisor, type Supervisor } from '../processes/supervisor.ts'
import { rpcCall } from './rpc.ts'
import { keepSnapshot } from './snapshot.ts'

export type AnvilOptions = {
  chainId: number
  /** Default: any free port. */
  port?: number
  /** File that stores the chain, so that a killed anvil restarts with its state. Default: nothing is stored. */
  statePath?: string
  /** Seconds between blocks, in addition to one block per transaction. Default: only transactions make blocks. */
  blockTimeSeconds?: number
  /** Hardfork of Ethereum. Default: `cancun`. */
  hardfork?: 'shanghai' | 'cancun'
  /** Tempo's rules instead of Ethereum's, as of its hardfork T3: the first with virtual addresses. */
  isTempo?: boolean
  /** How far in the past the chain's clock starts, if no state is loaded. Default: 0. */
  agoSeconds?: number
  /** Name of the supervisor's part. Default: `anvil-<chain id>`. */
  name?: string
  logPath?: string
  /** Keeps the process running; its owner stops it. Default: a new one, stopped by `stop`. */
  supervisor?: Supervisor
}

export type Anvil = {
  readonly chainId: number
  readonly rpcUrl: string
  /**
   * Id of the current process; a restart changes it.
   * @throws {Error} while there is none.
   */
  pid(): number
  /** Ends the snapshots, and the process if it created the supervisor. */
  stop(): Promise<void>
}

/**
 * Hardfork without EIP-2935: its contract writes one storage slot per block, which anvil 1.7.1 copies for every state
 * that it keeps, measured at 260 kB of memory and up to 9 ms of CPU per block. Nothing here needs a later fork.
 */
const defaultHardfork = 'cancun'

/** Past states in memory: the maximum depth of a reorg. Each costs about 100 bytes per block of the chain's length. */
const statesKept = 32

/** Blocks whose transactions, logs and receipts are kept: over eight hours at one block per second. */
const transactionBlocksKept = 30_000

/** Start-up takes 50 ms here; the bound allows for a cold disk and a busy machine. */
const readyWithinMs = 20_000
const pollMs = 25

/** Starts an anvil and resolves when it answers `eth_chainId`. */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const { chainId, statePath } = options
  const name = options.name ?? `anvil-${chainId}`
  const port = options.port ?? (await freePort())
  const supervisor = options.supervisor ?? createSupervisor()
  const rpcUrl = `http://${host}:${port}`
  const snapshots = new AbortController()
  const own = options.supervisor === undefined

  await supervisor.start({
    name,
    command: () => ({ file: anvilPath(), args: anvilArgs(options, port) }),
    ...(options.logPath === undefined ? {} : { logPath: options.logPath }),
  })
  try {
    await waitForChain(rpcUrl, chainId)
  } catch (error) {
    if (own) await supervisor.stop()
    throw error
  }
  const snapshotsDone = statePath === undefined ? null : keepSnapshot(rpcUrl, statePath, snapshots.signal)

  return {
    chainId,
    rpcUrl,
    pid() {
      const pid = supervisor.pids()[name]
      if (pid === undefined) throw new Error(`${name} is not running.`)
      return pid
    },
    async stop() {
      snapshots.abort()
      await snapshotsDone
      if (own) await supervisor.stop()
    },
  }
}

/**
 * Waits until the expected chain responds.
 * @param withinMs - On an idle machine. The bound counts polls, which take longer on a busy machine.
 * @throws {Error} after so many polls, or if another chain responds.
 */
export async function waitForChain(rpcUrl: string, chainId: number, withinMs = readyWithinMs): Promise<void> {
  for (let polls = 1; ; polls += 1) {
    const answer = await rpcCall(rpcUrl, 'eth_chainId', []).catch(() => null)
    if (answer !== null) {
      if (Number(answer) === chainId) return
      throw new Error(`${rpcUrl} is chain ${Number(answer)}, not ${chainId}: another process uses that port.`)
    }
    if (polls * pollMs > withinMs) throw new Error(`${rpcUrl} did not answer, though it was asked ${polls} times.`)
    await sleep(pollMs)
  }
}

/** The hardfork that registers masters (TIP-1022). Without it, a transfer to a virtual address stays there forever. */
const tempoHardfork = 't3'

function anvilArgs(options: AnvilOptions, port: number): string[] {
  const { chainId, statePath, blockTimeSeconds, hardfork, isTempo, agoSeconds } = options
  const args = [
    '--host',
    host,
    '--port',
    String(port),
    '--chain-id',
    String(chainId),
    '--hardfork',
    isTempo ? tempoHardfork : (hardfork ?? defaultHardfork),
  ]
  if (isTempo) args.push('--network', 'tempo')
  // Its default accounts have public keys; the devnet generates its own.
  args.push('--accounts', '1', '--balance', '0', '--silent', '--prune-history', String(statesKept))
  args.push('--transaction-block-keeper', String(transactionBlocksKept))
  if (blockTimeSeconds !== undefined) args.push('--block-time', String(blockTimeSeconds), '--mixed-mining')
  if (statePath !== undefined && existsSync(statePath)) args.push('--load-state', statePath)
  else if (agoSeconds !== undefined) args.push('--timestamp', String(Math.floor(Date.now() / 1_000) - agoSeconds))
  return args
}

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

/**
 * The binary itself: the package's `anvil` command is a wrapper, and `kill -9` would leave the real process running.
 */
function anvilPath(): string {
  const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil'
  const platformPackage = `@foundry-rs/anvil-${process.platform}-${architectures[process.arch]}`
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'))
    return require.resolve(`${platformPackage}/bin/${file}`)
  } catch {
    throw new Error(
      `anvil is not available for ${process.platform} ${process.arch}: ${platformPackage} is not installed.`,
    )
  }
}
