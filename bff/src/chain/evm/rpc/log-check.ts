import { type Bloom, fullness, mayHold } from './bloom.ts'

/** What logs were asked for, as `eth_getLogs` takes it: any of the addresses, and any of each topic. */
export type LogQuery = { address: string[]; topics: (readonly string[] | null)[] }

type Logged = { address: string; topics: readonly string[] }

/** A fuller filter says yes to one address in ten by chance: it proves nothing, and asking for whole blocks costs. */
const fullnessMax = 0.46

/** Topics that are looked for in a block's filter; of more, one is there by chance. */
const topicsMax = 50

/** Whether the block's filter says that there is more than the node gave. It can be by chance: `isBloomOf` all logs of the block settles it. */
export function hidesLogs(bloom: Bloom, { address, topics }: LogQuery, logs: readonly Logged[]): boolean {
  const [kinds, , targets] = topics
  if (fullness(bloom) > fullnessMax) return false
  if (!address.some((one) => mayHold(bloom, one)) || !kinds?.some((kind) => mayHold(bloom, kind))) return false
  if (!targets || targets.length > topicsMax) return logs.length === 0
  return targets.some((target) => mayHold(bloom, target) && !logs.some((log) => log.topics[2] === target))
}
