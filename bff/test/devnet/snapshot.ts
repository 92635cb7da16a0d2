import { rename, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { rpcCall } from './rpc.ts'

const unzip = promisify(gunzip)

/** Poll interval of the head. While a chain is short, a killed anvil loses at most this much. */
const lookEveryMs = 100

/**
 * Pause per megabyte of a copy. Copies grow with the chain, to about 40 MB and 0.4 s of work after eight hours; they may take
 * about a tenth of the time.
 */
const pauseMsPerMegabyte = 100

/**
 * Keeps a consistent copy of the chain in `path`: anvil's own `--state` writes the file in place, and a kill during the write
 * leaves a file that it refuses to load. Runs until aborted; never rejects, because an unreachable node is being restarted.
 */
export async function keepSnapshot(rpcUrl: string, path: string, signal: AbortSignal): Promise<void> {
  let savedHash: unknown = null
  while (!signal.aborted) {
    let pauseMs = lookEveryMs
    try {
      const hash = await headHash(rpcUrl)
      if (hash !== savedHash) {
        const bytes = await saveSnapshot(rpcUrl, path)
        savedHash = hash
        pauseMs = Math.max(lookEveryMs, (bytes / 1_000_000) * pauseMsPerMegabyte)
      }
    } catch {
      savedHash = null
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => {})
  }
}

async function saveSnapshot(rpcUrl: string, path: string): Promise<number> {
  const dump = String(await rpcCall(rpcUrl, 'anvil_dumpState', []))
  const json = await unzip(Buffer.from(dump.slice(2), 'hex'))
  await writeFile(`${path}.tmp`, json)
  await rename(`${path}.tmp`, path)
  return json.byteLength
}

async function headHash(rpcUrl: string): Promise<unknown> {
  const head = (await rpcCall(rpcUrl, 'eth_getBlockByNumber', ['latest', false])) as { hash: unknown }
  return head.hash
}
