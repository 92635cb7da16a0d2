import { createHash } from 'node:crypto'

/** The response header of `/api/health` that identifies the responding process. */
export const instanceHeader = 'X-Instance'

/** The public id of a process: new at each start, and of no use without the database. */
export const instanceOf = (replicaId: string): string =>
  createHash('sha256').update(`instance ${replicaId}`).digest('hex').slice(0, 16)
