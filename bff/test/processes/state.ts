import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Writes atomically: a reader finds the old or the new content. Readable by the owner only, although the keys are
 * devnet keys.
 */
export function writeWhole(path: string, value: unknown) {
  writeFileSync(`${path}.tmp`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${path}.tmp`, path)
}

const ownerFile = 'supervisor.pid'

/**
 * Claims and empties `dataDir`; removes the files of a killed demo.
 * @returns a function that releases the folder.
 * @throws {Error} when a running demo owns it.
 */
export function takeDataDir(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true })
  const path = join(dataDir, ownerFile)
  const ownPid = String(process.pid)
  try {
    writeFileSync(path, ownPid, { flag: 'wx' })
  } catch {
    const owner = Number(readFileSync(path, 'utf8'))
    if (isDemo(owner)) {
      throw new Error(
        `A demo is already running (process ${owner}). Stop it with Ctrl-C in its terminal, or: kill ${owner}`,
      )
    }
    writeFileSync(path, ownPid)
  }
  for (const name of readdirSync(dataDir)) {
    if (name !== ownerFile) rmSync(join(dataDir, name), { recursive: true, force: true })
  }
  return () => rmSync(path, { force: true })
}

/** Whether the process exists. */
export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid < 1) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Not permitted to signal it: it exists, and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Started by `run.mjs`. */
const program = join('demo', 'dist', 'main.js')

/** Whether the process exists and is a demo: after a reboot its id may belong to another program. */
function isDemo(pid: number): boolean {
  if (pid === process.pid || !isAlive(pid)) return false
  // In doubt it counts as a demo: refusing to start is the smaller harm.
  return commandOf(pid)?.includes(program) ?? true
}

function commandOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    const listing = spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' })
    return listing.status === 0 ? listing.stdout : null
  }
}
