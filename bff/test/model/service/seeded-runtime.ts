import type { Runtime } from '@stablecoin-checkout/bff/testing/core'

/** The model's clock, and the same random bytes in each life. */
export function seededRuntime(nowMs: () => number): Runtime {
  let state = 0x9e3779b9
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) & 0xff
  }
  const randomBytes = (count: number) => Uint8Array.from({ length: count }, next)
  return {
    nowMs,
    randomBytes,
    newUuid() {
      const hex = Buffer.from(randomBytes(16)).toString('hex')
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
    },
  }
}
