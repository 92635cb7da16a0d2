import { randomBytes, randomUUID } from 'node:crypto'

/** Time and chance, handed in so that a test can hold them still. */
export type Runtime = {
  /** Unix milliseconds. */
  nowMs(): number
  newUuid(): string
  /** Cryptographically strong. */
  randomBytes(count: number): Uint8Array
}

export const systemRuntime: Runtime = {
  nowMs: () => Date.now(),
  newUuid: () => randomUUID(),
  randomBytes: (count) => randomBytes(count),
}
