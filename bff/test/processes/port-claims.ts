import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from './state.ts'

/** One for all demos of the machine. A claim is an empty file, whose name is the port and the process. */
const folder = join(tmpdir(), 'stablecoin-checkout-demo-ports')

/** What this process has claimed. */
const own = new Set<number>()

const nameOf = (port: number): string => `${port}.${process.pid}`

/**
 * Claims a port for this process, until it ends: a demo chooses its ports seconds before its parts listen on them, and a part that is
 * started again listens on nothing meanwhile. Each process writes its claim before it reads those of others, so that of two at the same
 * moment at least one sees the other's, and gives way; both may.
 * @returns false when the port is claimed, by this process too.
 */
export function claimPort(port: number): boolean {
  if (own.has(port)) return false
  makeFolder()
  writeFileSync(join(folder, nameOf(port)), '')
  if (own.size === 0) process.once('exit', () => own.forEach(releasePort))
  own.add(port)
  if (!isClaimedByOther(port)) return true
  releasePort(port)
  return false
}

export function releasePort(port: number): void {
  own.delete(port)
  removeClaim(nameOf(port))
}

/** A process that was killed leaves its claims behind: they go here. */
function isClaimedByOther(port: number): boolean {
  let isClaimed = false
  for (const name of readdirSync(folder)) {
    const [claimed, pid = Number.NaN] = name.split('.').map(Number)
    if (!isAlive(pid)) removeClaim(name)
    else if (claimed === port && pid !== process.pid) isClaimed = true
  }
  return isClaimed
}

/** Another user's stays, and means nothing. */
function removeClaim(name: string): void {
  try {
    rmSync(join(folder, name), { force: true })
  } catch {}
}

/** Every user of the machine may claim there, and nobody take away another's claim. */
function makeFolder(): void {
  if (mkdirSync(folder, { recursive: true }) !== undefined) chmodSync(folder, 0o1777)
}
