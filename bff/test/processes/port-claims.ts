import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from './state.ts'

/** Shared by all demos of the machine. A claim is an empty file, named by the port and the process. */
const folder = join(tmpdir(), 'stablecoin-checkout-demo-ports')

/** Ports claimed by this process. */
const own = new Set<number>()

const nameOf = (port: number): string => `${port}.${process.pid}`

/**
 * Claims a port for this process until it ends: a demo chooses its ports seconds before its parts listen on them, and a
 * restarting part temporarily does not listen. Each process writes its claim before it reads the others', so that of two
 * concurrent processes at least one sees the other's claim and gives way; both may.
 * @returns false if the port is claimed, even by this process.
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

/** Removes the claims of killed processes. */
function isClaimedByOther(port: number): boolean {
  let isClaimed = false
  for (const name of readdirSync(folder)) {
    const [claimed, pid = Number.NaN] = name.split('.').map(Number)
    if (!isAlive(pid)) removeClaim(name)
    else if (claimed === port && pid !== process.pid) isClaimed = true
  }
  return isClaimed
}

/** Another user's claim cannot be removed, and is ignored. */
function removeClaim(name: string): void {
  try {
    rmSync(join(folder, name), { force: true })
  } catch {}
}

/** Every user of the machine may claim here, and nobody may remove another's claim. */
function makeFolder(): void {
  if (mkdirSync(folder, { recursive: true }) !== undefined) chmodSync(folder, 0o1777)
}
