import { createHash } from 'node:crypto'

/** The response header of `/api/health` that says which process answers. */
export const instanceHeader = 'X-Instance'

/** The id of a process as strangers may see it: new at each start, and of no use without the database. */
export const instanceOf = (replicaId: string): string =>
  createHash('sha256').update(`instance ${replicaId}`).digest('hex').slice(0, 16)
