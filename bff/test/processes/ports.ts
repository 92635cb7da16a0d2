import { createServer } from 'node:net'
import { claimPort, releasePort } from './port-claims.ts'

/** The variable that fixes a port, and the default port. */
export type PortWish = { variable: string; preferred: number }

/** Every part of the demo listens on this host only: its files contain devnet keys. */
export const host = '127.0.0.1'

/** Linux assigns ephemeral ports from 32,768 on; other systems from 49,152 on. Browsers refuse 10080. */
const firstPort = 11_000
const portsCount = 21_760
/** Number of ports a process uses before it reaches those of the next one. */
const portsOfProcess = 64
let asked = 0

/**
 * One port per wish, all different, in the order of the wishes. Reserved from other demos for the life of this process.
 * @throws {Error} naming the variable if a requested port is invalid or in use.
 */
export async function choosePorts(
  wishes: readonly PortWish[],
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<number[]> {
  const chosen: number[] = []
  for (const wish of wishes) chosen.push(await choosePort(wish, env[wish.variable] || undefined, chosen))
  return chosen
}

/** Ports for the two chains, adjacent if possible and not in `others`. `DEVNET_PORT` sets the first. */
export async function chooseDevnetPorts(
  others: readonly number[] = [],
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<[number, number]> {
  const asked = env['DEVNET_PORT'] || undefined
  const base = asked === undefined ? 8545 : parsePort('DEVNET_PORT', asked)
  const pair: [number, number] = [base, base + 1]
  const taken: number[] = []
  for (const port of pair) if (others.includes(port) || !(await take(port))) taken.push(port)
  if (taken.length === 0) return pair
  for (const port of pair) if (!taken.includes(port)) releasePort(port)
  if (asked !== undefined) {
    throw new Error(
      `DEVNET_PORT is ${base}, and the demo needs ports ${pair.join(' and ')}, but port ${taken.join(' and ')} is in use. Choose a port whose next one is free as well.`,
    )
  }
  const first = await freePort(others)
  return [first, await freePort([...others, first])]
}

async function choosePort(wish: PortWish, asked: string | undefined, others: readonly number[]): Promise<number> {
  const port = asked === undefined ? wish.preferred : parsePort(wish.variable, asked)
  if (!others.includes(port) && (await take(port))) return port
  if (asked !== undefined) throw new Error(`${wish.variable} is ${port}, but that port is in use.`)
  return freePort(others)
}

/** Claims a port on which nothing listens. Claims first: a port claimed by another process is not even probed. */
async function take(port: number): Promise<boolean> {
  if (!claimPort(port)) return false
  if (await isFree(port)) return true
  releasePort(port)
  return false
}

function parsePort(variable: string, text: string): number {
  const port = Number(text)
  // 65,534 leaves room for the adjacent port that DEVNET_PORT needs.
  if (!/^\d+$/.test(text) || port < 1 || port > 65_534) {
    throw new Error(`${variable} must be a port from 1 to 65534, not "${text}".`)
  }
  return port
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, host, () => probe.close(() => resolve(true)))
  })

/**
 * A port for a program that needs a fixed one, such as a chain that restarts at its address; programs that support port 0 use
 * that. Reserved from other demos and tests for the life of this process, and outside the operating system's ephemeral range.
 * Each process starts at a different port.
 * @throws {Error} when all of them are in use.
 */
export async function freePort(others: readonly number[] = []): Promise<number> {
  for (let attempts = 0; attempts < portsCount; attempts++) {
    const port = firstPort + ((process.pid * portsOfProcess + asked++) % portsCount)
    if (!others.includes(port) && (await take(port))) return port
  }
  throw new Error(`All ports from ${firstPort} to ${firstPort + portsCount - 1} are in use.`)
}
