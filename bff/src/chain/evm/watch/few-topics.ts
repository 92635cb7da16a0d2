import type { Db, Tx } from '../../../db/db.ts'
import type { WatchedPlace } from '../../../payment/store/watched-payments-store.ts'
import { topicOf } from '../../event-topic.ts'
import { fewMax } from '../movements/account-index.ts'

/** Pause before topics are counted again after there were too many; until then, nodes do not filter by target. */
const countAgainMs = 60_000

/**
 * The watched topics, while they are few enough for the node to filter by.
 * @param read - At most `limit` rows whose window ended after `endedAfterMs`.
 */
export function createFewTopics(read: (tx: Tx, endedAfterMs: number, limit: number) => Promise<WatchedPlace[]>) {
  let topics: readonly string[] | undefined = []
  let countAtMs = Number.NEGATIVE_INFINITY
  return {
    async refresh(db: Db, endedAfterMs: number): Promise<void> {
      const isCounted = topics === undefined && endedAfterMs < countAtMs && endedAfterMs >= countAtMs - countAgainMs
      if (isCounted) return
      const places = await db.read((tx) => read(tx, endedAfterMs, fewMax + 1))
      topics = places.length > fewMax ? undefined : places.map(topicOf)
      countAtMs = endedAfterMs + countAgainMs
    },
    /** Undefined when there are too many. */
    topics: () => topics,
    isEmpty: () => topics?.length === 0,
  }
}
