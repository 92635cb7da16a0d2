/** Keys that one load asks for at most. */
const keysMax = 200

type Batch<Key, Value> = { keys: Key[]; loaded: Promise<ReadonlyMap<Key, Promise<Value>>> }

/**
 * Loads all keys that are requested in one turn of the event loop with one call, so that concurrent requests share a query.
 * @param load - Keys missing from its result resolve to undefined. When it rejects, all requests of the call reject.
 */
export function batched<Key, Value>(
  load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Promise<Value>>>,
): (key: Key) => Promise<Value | undefined> {
  let open: Batch<Key, Value> | undefined

  function begin(): Batch<Key, Value> {
    const keys: Key[] = []
    // After the poll phase, so that all requests that arrived together are in the batch.
    const turn = new Promise<void>((resolve) => setImmediate(resolve))
    const loaded = turn.then(() => {
      if (open?.keys === keys) open = undefined
      return load(keys)
    })
    return { keys, loaded }
  }

  return async (key) => {
    open ??= begin()
    const { keys, loaded } = open
    keys.push(key)
    if (keys.length >= keysMax) open = undefined
    return await (await loaded).get(key)
  }
}
