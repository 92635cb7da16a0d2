import { createServer } from 'node:net'
import { claimPort, releasePort } from './port-claims.ts'

/** The variable that fixes a port, and the port that is taken when nobody asks for another. */
export type PortWish = { variable: string; preferred: number }

/** Everything of the demo listens here only: keys of a devnet are in its files. */
export const host = '127.0.0.1'

/** Linux gives connections, and whoever asks for any port, those from 32,768 on; others those from 49,152 on. Browsers refuse 10080. */
const firstPort = 11_000
const portsCount = 21_760
/** Ports that a process takes before it comes to those of the next one. */
const portsOfProcess = 64
let asked = 0

/**
 * One port per wish, all different, in the order of the wishes. No other demo chooses them as long as this process lives.
 * @throws {Error} naming the variable when a port that was asked for explicitly is not a port or is in use.
 */
export async function choosePorts(
  wishes: readonly PortWish[],
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<number[]> {
  const chosen: number[] = []
  for (const wish of wishes) chosen.push(await choosePort(wish, env[wish.variable] || undefined, chosen))
  return chosen
}

/** The same for the two chains, neighbours if possible and none of `others`: `DEVNET_PORT` names the first. */
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
  if (asked !== undefined) throw new Error(`DEVNET_PORT is ${base}, but port ${taken.join(' and ')} is in use.`)
  const first = await freePort(others)
  return [first, await freePort([...others, first])]
}

async function choosePort(wish: PortWish, asked: string | undefined, others: readonly number[]): Promise<number> {
  const port = asked === undefined ? wish.preferred : parsePort(wish.variable, asked)
  if (!others.includes(port) && (await take(port))) return port
  if (asked !== undefined) throw new Error(`${wish.variable} is ${port}, but that port is in use.`)
  return freePort(others)
}

/** Claims a port that nothing listens on now. The claim comes first: of a port that is not ours not even a trial is made. */
async function take(port: number): Promise<boolean> {
  if (!claimPort(port)) return false
  if (await isFree(port)) return true
  releasePort(port)
  return false
}

function parsePort(variable: string, text: string): number {
  const port = Number(text)
  // 65,534 leaves room for the neighbour that DEVNET_PORT needs.
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
 * A port for a program that must be given one, such as a chain that is started again at its address: what can listen on port 0 does so. No
 * other demo or test is given the same as long as this process lives, and the operating system gives none of these ports to anybody who
 * has not named it. Each process begins at another of them.
 * @throws {Error} when all of them are in use.
 */
export async function freePort(others: readonly number[] = []): Promise<number> {
  for (let attempts = 0; attempts < portsCount; attempts++) {
    const port = firstPort + ((process.pid * portsOfProcess + asked++) % portsCount)
    if (!others.includes(port) && (await take(port))) return port
  }
  throw new Error(`All ports from ${firstPort} to ${firstPort + portsCount - 1} are in use.`)
}
