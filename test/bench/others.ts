import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

/** Long enough for the scheduler to divide the processors fairly. */
const spinMs = 1_000

/** With more, requests a second of one run do not compare with those of another. */
const othersMax = 0.1

const spin = `
  const { workerData } = require('node:worker_threads')
  while (Atomics.load(workerData, 0) === 0);`

/** The share of the processors that other programs take while this one wants all of them, from 0 to 1. Takes about a second. */
export async function shareOfOthers(): Promise<number> {
  const isOver = new Int32Array(new SharedArrayBuffer(4))
  const spinners = Array.from({ length: availableParallelism() }, () => {
    const worker = new Worker(spin, { eval: true, workerData: isOver })
    return { started: once(worker, 'online'), ended: once(worker, 'exit') }
  })
  await Promise.all(spinners.map(({ started }) => started))
  const before = { wallMs: performance.now(), cpu: process.cpuUsage() }
  await sleep(spinMs)
  const wallMs = performance.now() - before.wallMs
  const { user, system } = process.cpuUsage(before.cpu)
  Atomics.store(isOver, 0, 1)
  await Promise.all(spinners.map(({ ended }) => ended))
  return Math.max(0, 1 - (user + system) / 1_000 / (wallMs * spinners.length))
}

/** Why nothing is written at this share of others; null: it is written. */
export function refusalAt(others: number): string | null {
  if (others <= othersMax) return null
  const taken = Math.ceil(others * 100)
  return `Not written: other programs take ${taken} % of the processors, and figures compare only up to ${othersMax * 100} %. Stop them and run it again.`
}
