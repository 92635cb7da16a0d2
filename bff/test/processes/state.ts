import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes so that a reader finds the old content or the new, never half. Keys of a devnet, yet nobody else's. */
export function writeWhole(path: string, value: unknown) {
  writeFileSync(`${path}.tmp`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${path}.tmp`, path)
}

const ownerFile = 'supervisor.pid'

/**
 * Makes `dataDir` ours and empty; what a demo that was killed left behind goes.
 * @returns a function that gives the folder up again.
 * @throws {Error} when a demo that is still running owns it.
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
        `A demo is running already (process ${owner}). Stop it with Ctrl-C in its terminal, or: kill ${owner}`,
      )
    }
    writeFileSync(path, ownPid)
  }
  for (const name of readdirSync(dataDir)) {
    if (name !== ownerFile) rmSync(join(dataDir, name), { recursive: true, force: true })
  }
  return () => rmSync(path, { force: true })
}

/** Whether there is such a process. */
export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid < 1) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Not allowed to signal it: it lives, and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** As `run.mjs` starts it. */
const program = join('demo', 'dist', 'main.js')

/** Whether the process lives and is a demo: after a restart of the machine its number may be anybody's. */
function isDemo(pid: number): boolean {
  if (pid === process.pid || !isAlive(pid)) return false
  // What cannot be told counts as a demo: refusing to start is the smaller harm.
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
