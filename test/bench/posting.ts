import { setImmediate as turn } from 'node:timers/promises'
import { systemRuntime as runtime, silentLog } from '@stablecoin-checkout/bff/testing/core'
import { openDatabase } from '@stablecoin-checkout/bff/testing/db'
import {
  createDispatcher,
  examplePayment,
  newWebhookSecret,
  signWebhook,
} from '@stablecoin-checkout/bff/testing/webhook'
import { openOutbox } from '@stablecoin-checkout/rig/outbox'
import { Agent, request } from 'undici'

/**
 * Posts so many webhooks to local receivers, in a process of its own: `node posting.ts <bare|real> <count> <ports that
 * answer> <ports that hang> [<file or URL>]`. `bare`: signed posts, and nothing else; `real`: the outbox and its dispatcher, on a new
 * database where none is named.
 */
const [mode = '', countText = '0', answeringText = '[]', hangingText = '[]', location] = process.argv.slice(2)
const count = Number(countText)
const answering = JSON.parse(answeringText) as number[]
const hanging = JSON.parse(hangingText) as number[]
const urlOf = (port: number | undefined) => `http://127.0.0.1:${port}/webhooks`
const ports = (index: number) => urlOf(answering[index % answering.length])

/** As many in hand as the dispatcher has at the most, over the same receivers. */
const inHandMax = 256

async function bare(): Promise<number> {
  const agent = new Agent({ pipelining: 1 })
  const secret = newWebhookSecret(runtime)
  const data = { ...examplePayment, sequence: 1 }
  const body = JSON.stringify({ type: 'payment.completed', timestamp: new Date().toISOString(), data })
  let next = 0
  const post = async () => {
    for (let index = next++; index < count; index = next++) {
      const seconds = Math.floor(Date.now() / 1_000)
      const id = `msg_${index}`
      const headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': signWebhook(secret, id, seconds, body),
      }
      const answer = await request(ports(index), { dispatcher: agent, method: 'POST', headers, body })
      await answer.body.dump()
    }
  }
  const startedMs = performance.now()
  await Promise.all(Array.from({ length: inHandMax }, post))
  const tookMs = performance.now() - startedMs
  await agent.destroy()
  return tookMs
}

const named =
  location === undefined ? undefined : { location, open: () => openDatabase(location), drop: async () => undefined }

async function real(): Promise<number> {
  const outbox = await openOutbox(runtime, ({ id, sequence }) => ({ ...examplePayment, id, sequence }), named)
  // Every tenth event is for one that hangs, where there are such; they come beside those that are counted.
  const toHanging = hanging.length === 0 ? 0 : Math.floor(count / 9)
  await Promise.all([
    ...Array.from({ length: toHanging }, (_, index) =>
      outbox.emit(urlOf(hanging[index % hanging.length]), 'payment.completed'),
    ),
    ...Array.from({ length: count }, (_, index) => outbox.emit(ports(index), 'payment.completed')),
  ])
  const { db, vault } = outbox
  const limits = { finishMs: 0 }
  const dispatcher = createDispatcher({ db, vault, runtime, log: silentLog, targets: 'any', limits })
  const stop = new AbortController()
  const startedMs = performance.now()
  const running = dispatcher.run(stop.signal)
  while (dispatcher.counts.delivered < count) await turn()
  const tookMs = performance.now() - startedMs
  stop.abort()
  await running
  await dispatcher.close()
  await outbox.close()
  return tookMs
}

const run = mode === 'bare' ? bare : real
await run()
process.send?.({ perSecond: count / ((await run()) / 1_000) })
