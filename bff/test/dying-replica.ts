import type { Db } from '@stablecoin-checkout/bff/testing/db'

class DeathError extends Error {}

/** A commit, counted from 1, at which a replica dies: with everything written and nothing committed, or right after it. */
export type Death = { commit: number; at: 'inside' | 'after' }

/** The database of a replica that dies at a commit: its later requests have no effect. For tests. */
export function openDyingDb(alive: Db, death?: Death) {
  let isDead = false
  let commits = 0
  const die = () => {
    isDead = true
    throw new DeathError()
  }
  /** For the replica's requests to anything but the database. */
  const verifyAlive = () => {
    if (isDead) throw new DeathError()
  }
  const db: Db = {
    ...alive,
    async read(unit) {
      verifyAlive()
      return await alive.read(unit)
    },
    async write(unit) {
      verifyAlive()
      commits += 1
      const isMeant = commits === death?.commit
      const value = await alive.write(async (tx) => {
        const written = await unit(tx)
        return isMeant && death?.at === 'inside' ? die() : written
      })
      return isMeant ? die() : value
    },
  }
  return { db, verifyAlive, isDead: () => isDead }
}
