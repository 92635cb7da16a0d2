import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AuthorizationStage, openAuthorizationStage } from '@stablecoin-checkout/rig/authorization-stage'
import type { Measure } from './fixtures.ts'

const payments = 60
const badSignatures = 2_000
const limits = { coinPrice: '1', perPayer: 100_000, perAddress: 100_000, dailyBudget: '1000' }

/** Milliseconds from the request with the signature until a node was handed the transaction, and until the answer that a block has it. */
type Took = { broadcastMs: number; answerMs?: number }

/**
 * Payments by signature, and by x402: their gas beside that of a plain transfer, the time from the request to the broadcast and to the
 * answer on a chain that mines at once, and how many bad signatures are refused in a second. The whole application with its sender,
 * on a database of its own.
 */
export async function benchSignature(): Promise<Measure[]> {
  const stage = await openAuthorizationStage({ signatureGas: limits })
  const stopping = new AbortController()
  const sending = stage.signatures.newSweeper().run(stopping.signal)
  try {
    const measures = [
      ...(await gasOf(stage)),
      ...(await timesOf('from the request with the signature', () => payOne(stage))),
      ...(await timesOf('by x402, from the request with the proof', () => payByX402(stage))),
    ]
    // Nothing is sent any more, so that the calls to the node that are counted are those of the checks.
    stopping.abort()
    await sending
    return [...measures, { name: 'bad signatures refused', value: await refusedInASecond(stage), unit: 'a second' }]
  } finally {
    stopping.abort()
    await sending
    await stage.close()
  }
}

async function timesOf(name: string, pay: () => Promise<Took>): Promise<Measure[]> {
  await pay()
  const all: Took[] = []
  for (let paid = 0; paid < payments; paid++) all.push(await pay())
  const measure = (what: string, of: (took: Took) => number | undefined): Measure[] => {
    const sorted = all.flatMap((took) => of(took) ?? []).sort((one, other) => one - other)
    if (sorted.length === 0) return []
    const at = (share: number) => Number((sorted[Math.ceil(sorted.length * share) - 1] ?? 0).toFixed(1))
    return [
      { name: `${name} to ${what}`, case: 'p50', value: at(0.5), unit: 'ms' },
      { name: `${name} to ${what}`, case: 'p99', value: at(0.99), unit: 'ms' },
    ]
  }
  return [
    ...measure('the broadcast', ({ broadcastMs }) => broadcastMs),
    ...measure('the answer that a block has it', ({ answerMs }) => answerMs),
  ]
}

/** A client of x402, once it was asked to pay; it leaves when its payment was sent. */
async function payByX402(stage: AuthorizationStage): Promise<Took> {
  const payment = await stage.createDeposit()
  const asked = await stage.app.request(`/x402/${payment.id}`, { method: 'POST' })
  const header = Buffer.from(asked.headers.get('payment-required') ?? '', 'base64').toString()
  const { accepts } = JSON.parse(header) as { accepts: object[] }
  const { signature, ...authorization } = await stage.sign(payment)
  const proof = { x402Version: 2, accepted: accepts[0], payload: { signature, authorization } }
  const headers = { 'PAYMENT-SIGNATURE': Buffer.from(JSON.stringify(proof)).toString('base64') }
  const leaving = new AbortController()
  const startedMs = performance.now()
  const answer = stage.app.request(`/x402/${payment.id}`, { method: 'POST', headers, signal: leaving.signal })
  while (stage.signatures.asked.broadcastAtMs < startedMs) {
    if (performance.now() - startedMs > 60_000) throw new Error('The proof was not sent.')
    await sleep(1)
  }
  const broadcastMs = stage.signatures.asked.broadcastAtMs - startedMs
  leaving.abort()
  await Promise.resolve(answer).catch(() => undefined)
  return { broadcastMs }
}

async function payOne(stage: AuthorizationStage): Promise<Took> {
  const payment = await stage.createDeposit()
  const body = stage.bodyOf(await stage.sign(payment))
  const startedMs = performance.now()
  const { status, body: answer } = await stage.post(`/api/v1/payments/${payment.id}/authorize`, body)
  if (status !== 200) throw new Error(JSON.stringify(answer))
  return { broadcastMs: stage.signatures.asked.broadcastAtMs - startedMs, answerMs: performance.now() - startedMs }
}

async function gasOf(stage: AuthorizationStage): Promise<Measure[]> {
  const plain = await stage.createDeposit()
  const { gasUsed: plainGas } = await stage.transfer(plain.depositAddress, 25_000_000n)
  const payment = await stage.createDeposit()
  const body = stage.bodyOf(await stage.sign(payment))
  const { body: answer } = await stage.post(`/api/v1/payments/${payment.id}/authorize`, body)
  const { gasUsed } = await stage.chain.getTransactionReceipt({ hash: answer['transactionHash'] as `0x${string}` })
  return [
    { name: 'gas of a plain transfer to a deposit address', value: Number(plainGas), unit: 'gas' },
    { name: 'gas of a payment by signature to a deposit address', value: Number(gasUsed), unit: 'gas' },
  ]
}

async function refusedInASecond(stage: AuthorizationStage): Promise<number> {
  const payment = await stage.createDeposit()
  const signed = await stage.sign(payment)
  const calls = stage.signatures.asked.calls
  const startedMs = performance.now()
  for (let sent = 0; sent < badSignatures; sent++) {
    await stage.refusal(payment.id, stage.bodyOf({ ...signed, from: `0x${sent.toString(16).padStart(40, 'b')}` }))
  }
  const seconds = (performance.now() - startedMs) / 1000
  // A minute's bound, of the two minutes that a slow machine may see.
  if (stage.signatures.asked.calls - calls > badSignatures / 2) throw new Error('Bad signatures reach the node.')
  return Math.round(badSignatures / seconds)
}
