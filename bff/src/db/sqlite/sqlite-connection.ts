import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getAsset, isSea } from 'node:sea'
import { type Connection, type ConnectionOptions, SQLite } from './sqlite-driver.ts'

let addon: unknown

/** Opens a file without migrations or settings. */
export function connect(path: string, options: Omit<ConnectionOptions, 'nativeBinding'> = {}): Connection {
  if (!isSea()) return new SQLite(path, options)
  addon ??= loadAddon()
  // The types allow only a path; the package also takes the loaded addon.
  return new SQLite(path, { ...options, nativeBinding: addon as string })
}

/**
 * Loads the addon of a single binary. A shared library can only be loaded from a file, so it is written into a folder of its own, which is
 * deleted after loading.
 * @throws {Error} when the folder for temporary files forbids programs.
 */
function loadAddon(): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'stablecoin-checkout-'))
  const file = join(folder, 'better_sqlite3.node')
  try {
    writeFileSync(file, Buffer.from(getAsset('better_sqlite3.node')), { mode: 0o700 })
    return createRequire(process.execPath)(file)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`SQLite cannot be loaded from ${folder}: ${reason}. Set TMPDIR to a folder that allows programs.`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
