import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** On Linux, files in this folder are kept in memory. */
const memory = '/dev/shm'

/** Containers often give it 64 MB. Several test files run at a time; their databases take a third of this. */
const memoryMinBytes = 1_000_000_000

const folders: string[] = []

/** Creates a folder for the run's databases, in memory if there is room: every commit of the service waits for the disk. */
export function setup(): void {
  const folder = mkdtempSync(join(isInMemory() ? memory : tmpdir(), 'checkout-databases-'))
  folders.push(folder)
  // Workers start later, with these variables.
  process.env['TEST_DATABASE_FOLDER'] = folder
}

export function teardown(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

function isInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize > memoryMinBytes
  } catch {
    return false
  }
}
