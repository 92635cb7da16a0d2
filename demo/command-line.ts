import { parseArgs } from 'node:util'

/** Each replica takes about 150 MB of memory. */
const replicasMax = 10

/**
 * The demo's only option.
 * @returns the number of replicas that share PostgreSQL; null: one process with a SQLite file.
 * @throws {Error} with the usage.
 */
export function parseReplicas(args: readonly string[]): number | null {
  const usage = 'Start the demo with `npm run demo`, or with `npm run demo -- --replicas 3`'
  let text: string | undefined
  try {
    text = parseArgs({ args: [...args], options: { replicas: { type: 'string' } } }).values.replicas
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${usage}.`)
  }
  if (text === undefined) return null
  const replicas = Number(text)
  if (!/^\d+$/.test(text) || replicas < 1 || replicas > replicasMax) {
    throw new Error(`--replicas must be a whole number from 1 to ${replicasMax}, not "${text}". ${usage}.`)
  }
  return replicas
}
