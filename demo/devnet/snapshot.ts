import { rename, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { rpcCall } from './rpc.ts'

const unzip = promisify(gunzip)

/** How often the head is looked at: at most this much of a chain is lost when its anvil is killed. */
const lookEveryMs = 100

/** A dump grows with the chain (0.3 s at eight hours): it may take at most a twentieth of the time. */
const pausePerDump = 20

/**
 * Keeps a copy of the chain in `path` that is always whole: anvil's own `--state` writes the file in place, and a
 * kill in the middle of that leaves one that it refuses to load. Ends with the signal; never rejects, because a node
 * that is away now is one that is being started again.
 */
export async function keepSnapshot(rpcUrl: string, path: string, signal: AbortSignal): Promise<void> {
  let savedHash: unknown = null
  while (!signal.aborted) {
    const startedAtMs = Date.now()
    let pauseMs = lookEveryMs
    try {
      const hash = await headHash(rpcUrl)
      if (hash !== savedHash) {
        await saveSnapshot(rpcUrl, path)
        savedHash = hash
        pauseMs = Math.max(lookEveryMs, (Date.now() - startedAtMs) * pausePerDump)
      }
    } catch {
      savedHash = null
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => {})
  }
}

async function saveSnapshot(rpcUrl: string, path: string) {
  const dump = String(await rpcCall(rpcUrl, 'anvil_dumpState', []))
  const json = await unzip(Buffer.from(dump.slice(2), 'hex'))
  await writeFile(`${path}.tmp`, json)
  await rename(`${path}.tmp`, path)
}

async function headHash(rpcUrl: string): Promise<unknown> {
  const head = (await rpcCall(rpcUrl, 'eth_getBlockByNumber', ['latest', false])) as { hash: unknown }
  return head.hash
}
