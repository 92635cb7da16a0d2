/** Bounds what one load returns at once. */
const keysMax = 200

type Batch<Key, Value> = { keys: Key[]; loaded: Promise<ReadonlyMap<Key, Promise<Value>>> }

/**
 * Loads what one turn of the event loop asks for by one call, because requests that arrive together can share a query.
 * @param load - Undefined is returned for a key that its result lacks. When it rejects, all that share the call do.
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
