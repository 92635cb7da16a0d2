import { fork } from 'node:child_process'
import { once } from 'node:events'
import { bundle } from './bundle.ts'
import type { Measure } from './fixtures.ts'

/** Of them one in ten hangs where it is said. */
const receivers = 60
const hangingReceivers = 6
const events = 6_000
/** They take turns, so that a busy moment of the machine hits all of them. */
const rounds = 3

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

type Ports = { answering: number[]; hanging: number[] }

export async function benchWebhook(): Promise<Measure[]> {
  const [sinkFile, posting] = [await bundle('sink'), await bundle('posting')]
  const sink = fork(sinkFile, [String(receivers), String(hangingReceivers)], { execArgv: [] })
  try {
    const [{ answering, hanging }] = (await once(sink, 'message')) as [Ports]
    const post = async (mode: 'bare' | 'real', hangs: number[]): Promise<number> => {
      const child = fork(posting, [mode, String(events), JSON.stringify(answering), JSON.stringify(hangs)], {
        execArgv: [],
      })
      const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`posting ended with ${code}`)))
      const [{ perSecond }] = (await Promise.race([once(child, 'message'), ended])) as [{ perSecond: number }]
      child.kill()
      await ended.catch(() => undefined)
      return perSecond
    }
    const results: { bare: number; real: number; beside: number }[] = []
    for (let round = 0; round < rounds; round++) {
      const bare = await post('bare', [])
      results.push({ bare, real: await post('real', []), beside: await post('real', hanging) })
    }
    const bare = median(results.map((result) => result.bare))
    const real = median(results.map((result) => result.real))
    const beside = median(results.map((result) => result.beside))
    return [
      { name: 'deliveries from the outbox', value: Math.round(real), unit: 'deliveries/s' },
      { name: 'the same, while one receiver in ten hangs', value: Math.round(beside), unit: 'deliveries/s' },
      { name: 'bare signed posts, by undici', value: Math.round(bare), unit: 'posts/s' },
      against('outbox / bare posts', real / bare),
      against('outbox with hanging receivers / bare posts', beside / bare),
    ]
  } finally {
    sink.kill('SIGKILL')
  }
}

function against(name: string, ratio: number): Measure {
  return { name, value: Math.round(ratio * 100) / 100, unit: 'x', target: '>= 0.5', isGood: ratio >= 0.5 }
}
