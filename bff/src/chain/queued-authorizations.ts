import type { Log } from '../core/log.ts'
import { runAll } from '../core/run-all.ts'
import type { Db } from '../db/db.ts'
import {
  failQueuedAuthorization,
  type QueuedAuthorization,
  queuedAuthorizations,
} from '../payment/store/authorization-store.ts'
import { isOfNodes } from './rpc-pool.ts'

/** `faultyAuthorizations`: those whose last attempt met a fault that is not of the nodes. */
type Context = { db: Db; network: { shortName: string }; memory: { readonly faultyAuthorizations: Set<string> } }

/**
 * Sends queued authorizations, oldest first, at most `limit`. Faulty ones come last, because a few of them would otherwise
 * block all others.
 * @returns the sum of the results of `send`.
 * @throws the first fault, after the others were attempted; at once if no node responds.
 */
export async function sendQueued(
  { db, network, memory: { faultyAuthorizations: faulty } }: Context,
  limit: number,
  send: (one: QueuedAuthorization) => Promise<number>,
): Promise<number> {
  const rows = await db.read((tx) => queuedAuthorizations(tx, network.shortName, limit + faulty.size))
  const ids = new Set(rows.map(({ id }) => id))
  for (const id of faulty) if (!ids.has(id)) faulty.delete(id)
  const first = rows.filter(({ id }) => !faulty.has(id))
  const last = rows.filter(({ id }) => faulty.has(id))
  return await runAll(
    [...first, ...last].slice(0, limit).map(({ id, parse }) => async () => {
      try {
        const sent = await send(parse())
        faulty.delete(id)
        return sent
      } catch (error) {
        if (!isOfNodes(error)) faulty.add(id)
        throw error
      }
    }),
    isOfNodes,
  )
}

/** Queued authorizations that are refused per pass. */
const refusedMax = 100

/**
 * Gives up what was queued before `signatureGas` was removed: the operator no longer pays for it, and its clients learn that they can
 * pay in another way.
 * @returns how many were given up.
 */
export async function refuseQueued({ db, network, log }: Omit<Context, 'memory'> & { log: Log }): Promise<number> {
  const code = 'SIGNATURE_NOT_OFFERED'
  const reason = `${network.shortName} no longer takes payments by signature. Nothing was sent.`
  const count = await db.write(async (tx) => {
    const rows = await queuedAuthorizations(tx, network.shortName, refusedMax)
    for (const { id } of rows) await failQueuedAuthorization(tx, id, { code, reason })
    return rows.length
  })
  if (count > 0)
    log.info({ network: network.shortName, count, code }, 'Authorizations were refused before they were sent')
  return count
}
