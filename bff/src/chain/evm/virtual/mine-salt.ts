import { availableParallelism } from 'node:os'
import { type Hex, numberToHex } from 'viem'

/** Attempts between two notes of the progress: about 20 seconds of one core. */
const segmentAttempts = 2 ** 24

/** Attempts of a worker between two messages: a fraction of a second. */
const chunkAttempts = 100_000

/** One attempt in so many succeeds, on average. */
export const attemptsExpected = 2 ** 32

/** Sixty times the expected number: the chance that none succeeds is below 10^-26, so a fault of ours is more likely. */
const attemptsMax = 60n * BigInt(attemptsExpected)

export type Mined = { salt: Hex; masterId: Hex }

export type Mining = {
  wallet: Hex
  /** The first salt that was not tried. */
  from: bigint
  signal: AbortSignal
  /** Called after each segment: all salts before `next` were tried. A later search continues there. */
  onTried(next: bigint): Promise<void>
  /** Called several times per second. */
  onProgress?(next: bigint): void
  /** Default: every core. */
  workers?: number
  segment?: number
}

/**
 * Searches the salts in their order for one that registers the wallet (TIP-1022). ox does the search, in WebAssembly,
 * on worker threads.
 * @throws the signal's reason when it is aborted.
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
