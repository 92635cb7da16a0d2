import { availableParallelism } from 'node:os'
import { type Hex, numberToHex } from 'viem'

/** Attempts between saves of the progress: about 20 seconds of one core. */
const segmentAttempts = 2 ** 24

/** Attempts between two messages of a worker: a fraction of a second. */
const chunkAttempts = 100_000

/** Expected number of attempts until one succeeds. */
export const attemptsExpected = 2 ** 32

/** Sixty times the expected number. The chance that none succeeds is below 10^-26, so a bug is more likely. */
const attemptsMax = 60n * BigInt(attemptsExpected)

export type Mined = { salt: Hex; masterId: Hex }

export type Mining = {
  wallet: Hex
  /** The first salt to try. */
  from: bigint
  signal: AbortSignal
  /** Called after each segment, when all salts before `next` were tried. A later search continues there. */
  onTried(next: bigint): Promise<void>
  /** Called several times per second. */
  onProgress?(next: bigint): void
  /** Default: every core. */
  workers?: number
  segment?: number
}

/**
 * Searches the salts in order for one that registers the wallet (TIP-1022), with ox's WebAssembly on worker threads.
 * @throws the signal's reason when aborted.
 */
export async function mineSalt(mining: Mining): Promise<Mined> {
  const { wallet, from, signal, onTried, onProgress, segment = segmentAttempts } = mining
  const { VirtualMaster } = await import('viem/tempo')
  // With one worker ox falls back to JavaScript, which is many times slower.
  const workers = Math.max(2, mining.workers ?? availableParallelism())
  for (let start = from; start < from + attemptsMax; start += BigInt(segment)) {
    signal.throwIfAborted()
    const found = await VirtualMaster.mineSaltAsync({
      address: wallet,
      start: numberToHex(start, { size: 32 }),
      count: segment,
      chunkSize: Math.min(chunkAttempts, Math.ceil(segment / workers)),
      workers,
      signal,
      onProgress: ({ attempts }) => onProgress?.(start + BigInt(attempts)),
    })
    if (found !== undefined) return { salt: found.salt, masterId: found.masterId }
    await onTried(start + BigInt(segment))
  }
  throw new Error(`No salt in ${attemptsMax} attempts registers ${wallet}`)
}
