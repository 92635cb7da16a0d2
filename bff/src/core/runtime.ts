import { randomFillSync, randomUUID } from 'node:crypto'

/** The clock and the source of randomness, as a parameter, so that tests can control them. */
export type Runtime = {
  /** Unix milliseconds. */
  nowMs(): number
  newUuid(): string
  /** Cryptographically strong. */
  randomBytes(count: number): Uint8Array
}

/** Asking the kernel once for many bytes costs a tenth of asking for each few. */
const poolBytes = 8_192
const pool = Buffer.alloc(poolBytes)
let poolUsed = poolBytes

function pooledBytes(count: number): Uint8Array {
  if (count > poolBytes) return randomFillSync(new Uint8Array(count))
  if (poolUsed + count > poolBytes) {
    randomFillSync(pool)
    poolUsed = 0
  }
  const bytes = Uint8Array.from(pool.subarray(poolUsed, poolUsed + count))
  // The bytes that were returned are overwritten: they may be a secret.
  pool.fill(0, poolUsed, poolUsed + count)
  poolUsed += count
  return bytes
}

export const systemRuntime: Runtime = {
  nowMs: () => Date.now(),
  newUuid: () => randomUUID(),
  randomBytes: pooledBytes,
}
