import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startDevnet } from '@stablecoin-checkout/rig/devnet/devnet'
import { buildWhatIsOld } from '../../demo/build.mjs'
import type { Measure } from './fixtures.ts'

const main = fileURLToPath(new URL('../../bff/dist/main.js', import.meta.url))

/** Starts of each; they take turns, so that both meet the same load. The median counts. */
const starts = 9
/** After this the watchers have found nothing to do. */
const restMs = 3_000

/** How soon a service is ready that has no part switched on, and what it holds, compared with one that has all of them. */
export async function benchParts(): Promise<Measure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-bench-'))
  buildWhatIsOld(() => undefined)
  const devnet = await startDevnet({ dataDir: folder })
  try {
    const { networks, operator, solana } = devnet
    const [evm] = networks
    const evmNetwork = {
      shortName: evm.shortName,
      name: evm.name,
      chainId: evm.chainId,
      isTestnet: true,
      confirmations: 3,
      factory: evm.factory,
      platformWallet: evm.platformWallet,
      rpcUrls: [evm.rpcUrl],
      tokens: [{ symbol: 'USDC', name: 'USD Coin', ...evm.tokens.USDC }],
    }
    const { shortName, name, family, genesisHash, platformWallet, tokens, rpcUrl } = solana.network
    const solanaNetwork = {
      shortName,
      name,
      family,
      genesisHash,
      platformWallet,
      isTestnet: true,
      confirmations: 7,
      rpcUrls: [rpcUrl],
      tokens: [{ symbol: 'USDC', name: 'USD Coin', ...tokens.USDC }],
    }
    const cases = {
      kernel: {
        networks: [evmNetwork],
        parts: { dashboard: false, links: false, tools: false, x402: false },
      },
      'every part': { networks: [evmNetwork, solanaNetwork], relay: {}, parts: { tools: true, x402: true } },
    }
    const env = { OPERATOR_PRIVATE_KEY: operator.privateKey, SOLANA_FEE_PAYER_KEY: solana.operator.secretKey }
    const measured = { kernel: [] as Started[], 'every part': [] as Started[] }
    for (let round = 0; round < starts; round++) {
      for (const of of ['kernel', 'every part'] as const) {
        measured[of].push(await start(folder, `${of} ${round}`, cases[of], env))
      }
    }
    const medianOf = (of: keyof typeof measured, value: keyof Started) => {
      const sorted = measured[of].map((one) => one[value]).sort((a, b) => a - b)
      return sorted[Math.floor(sorted.length / 2)] ?? 0
    }
    const ratioOf = (value: keyof Started) =>
      Number((medianOf('kernel', value) / medianOf('every part', value)).toFixed(2))
    return [
      ...(['kernel', 'every part'] as const).flatMap((of) => [
        { name: 'start to ready', case: of, value: Math.round(medianOf(of, 'readyMs')), unit: 'ms' },
        { name: 'processor time until ready', case: of, value: Math.round(medianOf(of, 'cpuMs')), unit: 'ms' },
        { name: 'memory, idle', case: of, value: Math.round(medianOf(of, 'rssMb')), unit: 'MB' },
      ]),
      { name: 'start to ready, kernel', ratioTo: 'every part', value: ratioOf('readyMs'), unit: '×' },
      { name: 'processor time, kernel', ratioTo: 'every part', value: ratioOf('cpuMs'), unit: '×' },
      { name: 'memory, kernel', ratioTo: 'every part', value: ratioOf('rssMb'), unit: '×' },
    ]
  } finally {
    await devnet.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Started = { readyMs: number; cpuMs: number; rssMb: number }

async function start(folder: string, name: string, settings: object, env: NodeJS.ProcessEnv): Promise<Started> {
  const config = join(folder, `${name}.json`)
  writeFileSync(config, JSON.stringify({ port: 0, database: join(folder, `${name}.sqlite`), ...settings }))
  const startedMs = performance.now()
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, ...env, BFF_CONFIG: config },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (!line.includes('"msg":"ready"')) continue
      const readyMs = performance.now() - startedMs
      const cpuMs = processorMs(child.pid)
      await sleep(restMs)
      return { readyMs, cpuMs, rssMb: residentMb(child.pid) }
    }
    throw new Error(`The service ended: ${name}.`)
  } finally {
    child.kill('SIGKILL')
  }
}

/** As Linux counts them, in ticks of a hundredth of a second. */
function processorMs(pid: number | undefined): number {
  const [, user = '', system = ''] =
    /^\d+ \(.*\) \S(?: -?\d+){10} (\d+) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
  return (Number(user) + Number(system)) * 10
}

function residentMb(pid: number | undefined): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return (Number(kilobytes) * 1024) / 1e6
}
