import { setInterval as everyMs } from 'node:timers'
import { collectGarbage } from '@stablecoin-checkout/rig/collect-garbage'
import { openContractStage } from '@stablecoin-checkout/rig/contract-stage'
import { openSolanaStage } from '@stablecoin-checkout/rig/solana-stage'
import { afterEach, expect, test } from 'vitest'
import { listenOn } from '../../access/http/listen.ts'

/** The documented wait, shortened for the test. */
const waitMs = 400
/** Tolerance for a busy machine. */
const answeredWithinMs = waitMs + 20_000

let close: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const one of close.reverse()) await one()
  close = []
})

type Asked = {
  fetch: (request: Request) => Response | Promise<Response>
  publicKey: string
  paymentId: string
  network: string
  transactionHash: string
}

/** Asks over HTTP, twice in sequence, while the garbage collector runs as in a busy process. */
async function askTwice({ fetch: answer, publicKey, ...body }: Asked) {
  const server = await listenOn(answer, { host: '127.0.0.1', port: 0 })
  // More than once per wait. All tests of a run share the heap, which takes a while to collect.
  const collecting = everyMs(collectGarbage, 150)
  close.push(async () => {
    clearInterval(collecting)
    await server.close()
  })
  const answers = []
  for (let count = 0; count < 2; count++) {
    const startedMs = performance.now()
    const response = await fetch(`http://127.0.0.1:${server.port}/api/v1/payments/process`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Public-Key': publicKey },
      body: JSON.stringify(body),
    })
    const { code, message } = (await response.json()) as { code: string; message: string }
    answers.push({ status: response.status, code, message, tookMs: performance.now() - startedMs })
  }
  return answers
}

const notFoundInTime = {
  ...{ status: 400, tookMs: expect.toSatisfy((ms) => ms < answeredWithinMs) },
  // The second case occurs when the busy machine's node does not respond within the wait.
  code: expect.stringMatching(/^(TRANSACTION_NOT_FOUND|NOT_CONFIRMED)$/),
  // With one slot: the first request has returned it, or the second would be refused.
  message: expect.not.stringMatching(/many payments/),
}

test('process responds within the documented wait for an unknown hash, and returns its slot', async () => {
  const stage = await openContractStage({ waitMs, waitsMax: 1 })
  close.push(stage.close)
  const { id: paymentId } = await stage.create()
  await stage.watch()
  const transactionHash = `0x${'ab'.repeat(32)}`
  const { app, merchant } = stage
  const asked = { fetch: app.fetch, publicKey: merchant.publicKey, paymentId, network: 'devnet', transactionHash }
  expect(await askTwice(asked)).toEqual([notFoundInTime, notFoundInTime])
})

test('process responds within the documented wait for an unknown signature, and returns its slot', async () => {
  const stage = await openSolanaStage({ waitMs, waitsMax: 1 })
  close.push(stage.close)
  const { id: paymentId } = await stage.create()
  const { app, merchant, network } = stage
  const place = { paymentId, network: network.shortName, transactionHash: '5'.repeat(87) }
  expect(await askTwice({ fetch: app.fetch, publicKey: merchant.publicKey, ...place })).toEqual([
    notFoundInTime,
    notFoundInTime,
  ])
})
