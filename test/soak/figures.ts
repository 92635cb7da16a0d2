import { strict as assert } from 'node:assert'
import type { openBlocks, openCreates, Paid } from './customers.ts'
import type { Accepted } from './receivers.ts'
import type { openFleet } from './replica-fleet.ts'

/** The resident memory of the last third of the run over that of the first third: more is a leak. */
const memoryGrowthMax = 1.3

const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN

function spread(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b)
  const [median, p99, longest] = [0.5, 0.99, 1].map((part) => quantile(sorted, part).toFixed(0))
  return `median ${median} ms, p99 ${p99} ms, longest ${longest} ms (of ${sorted.length})`
}

type Figures = {
  creates: ReturnType<typeof openCreates>
  blocks: ReturnType<typeof openBlocks>
  fleet: ReturnType<typeof openFleet>
  accepted: Accepted
  kills: number
  madeSeconds: number
  confirmations: number
}

/** @throws {AssertionError} when the memory grew. */
export function printFigures({ creates, blocks, fleet, accepted, kills, madeSeconds, confirmations }: Figures): void {
  const heard = blocks.paid.filter(({ isHeard }) => isHeard)
  const delays = (type: string, blockOf: (one: Paid) => number) =>
    heard.flatMap((one) => {
      const [blockAtMs, acceptedAtMs] = [blocks.blockAtMs.get(blockOf(one)), accepted.atMs.get(`${one.id} ${type}`)]
      return blockAtMs === undefined || acceptedAtMs === undefined ? [] : [acceptedAtMs - blockAtMs]
    })
  const memory = fleet.memory()
  const [firstMs = 0, lastMs = 0] = [memory[0]?.atMs, memory.at(-1)?.atMs]
  const third = (lastMs - firstMs) / 3
  const medianOf = (isOf: (atMs: number) => boolean) =>
    quantile(
      memory
        .filter(({ atMs }) => isOf(atMs))
        .map(({ megabytes }) => megabytes)
        .sort((a, b) => a - b),
      0.5,
    )
  const [first, last] = [medianOf((atMs) => atMs <= firstMs + third), medianOf((atMs) => atMs >= lastMs - third)]
  const most = Math.max(...memory.map(({ megabytes }) => megabytes))
  const lines = [
    `created: ${creates.tookMs.length} (${(creates.tookMs.length / madeSeconds).toFixed(1)} a second), ${creates.repeats()} requests repeated; replicas killed: ${kills}`,
    `paid and swept: ${blocks.paid.length}; webhooks accepted: ${accepted.atMs.size}, and ${accepted.repeats} repeats`,
    `create: ${spread(creates.tookMs)}`,
    `from the block to payment.detected: ${spread(delays('payment.detected', ({ block }) => block))}`,
    `from the confirming block to payment.completed: ${spread(delays('payment.completed', ({ block }) => block + confirmations - 1))}`,
    `memory of a replica: median ${first.toFixed(0)} MB in the first third, ${last.toFixed(0)} MB in the last; most ${most.toFixed(0)} MB`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  assert.ok(!(last > first * memoryGrowthMax), 'the memory grew')
  process.stdout.write('Nothing was lost, and nothing was done twice.\n')
}
