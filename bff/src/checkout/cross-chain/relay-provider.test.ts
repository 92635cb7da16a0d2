import {
  type Asked,
  chainsShape,
  destinationToken,
  openRelayDouble,
  originToken,
  quoteShape,
  type RelayResponse,
  relayAddress,
  requestId,
} from '@stablecoin-checkout/rig/relay-stage'
import { afterEach, describe, expect, test } from 'vitest'
import { RelayDownError, RelayRefusal } from './relay-faults.ts'
import { createRelay, type QuoteOrder } from './relay-provider.ts'

// The client against the shapes of the real API's reference.

let close = () => {}
afterEach(() => close())

async function relayThat(answer: (asked: Asked) => RelayResponse, apiKey: string | null = null) {
  const double = await openRelayDouble(answer)
  close = double.close
  return { relay: createRelay({ baseUrl: double.baseUrl, apiKey }), asked: double.asked }
}

const recipient = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'
const recoveryAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const order: QuoteOrder = {
  ...{ originChainId: 8453, originToken, destinationChainId: 31_337, destinationToken },
  ...{ amount: 25_000_000n, recipient, recoveryAddress, ttlSeconds: 1_800 },
}

describe('a quote', () => {
  test('orders exactly the amount at the payment’s address, within its time, and always a way back', async () => {
    const { relay, asked } = await relayThat(({ body }) => ({ body: quoteShape(body) }), 'secret-key')
    expect(await relay.quote(order)).toEqual({ requestId, depositAddress: relayAddress, amountToSend: 25_100_000n })
    expect(asked).toEqual([
      {
        method: 'POST',
        path: '/quote/v2',
        apiKey: 'secret-key',
        body: {
          ...{ user: recoveryAddress, recipient, originChainId: 8453, destinationChainId: 31_337 },
          ...{ originCurrency: originToken, destinationCurrency: destinationToken, amount: '25000000' },
          ...{ tradeType: 'EXACT_OUTPUT', useDepositAddress: true, strict: true, ttl: 1_800 },
          ...{ refundTo: `0x${'0'.repeat(40)}`, recoveryAddress },
        },
      },
    ])
  })

  test('finds the step with the deposit address wherever it stands', async () => {
    const { relay } = await relayThat(({ body }) => {
      const { steps, ...rest } = quoteShape(body)
      return { body: { ...rest, steps: [{ id: 'authorize', requestId: '0x00', items: [] }, ...steps] } }
    })
    expect(await relay.quote(order)).toMatchObject({ requestId, depositAddress: relayAddress })
  })

  const wrongCurrency = (chainId: number, address: string, amount = '25000000') => ({
    ...{ currency: { chainId, address, symbol: 'USDC', decimals: 6 }, amount, minimumAmount: amount },
  })
  test.each<[string, { details?: object; step?: object }]>([
    ['pays somebody else', { details: { recipient: recoveryAddress } }],
    ['delivers less', { details: { currencyOut: wrongCurrency(31_337, destinationToken, '24999999') } }],
    [
      'may deliver less',
      { details: { currencyOut: { ...wrongCurrency(31_337, destinationToken), minimumAmount: '24999999' } } },
    ],
    ['delivers another token', { details: { currencyOut: wrongCurrency(31_337, originToken) } }],
    ['delivers on another chain', { details: { currencyOut: wrongCurrency(1, destinationToken) } }],
    ['takes from another chain', { details: { currencyIn: wrongCurrency(1, originToken) } }],
    ['takes another token', { details: { currencyIn: wrongCurrency(8453, destinationToken) } }],
    ['takes nothing', { details: { currencyIn: wrongCurrency(8453, originToken, '0') } }],
    ['takes a fraction of a unit', { details: { currencyIn: wrongCurrency(8453, originToken, '1.5') } }],
    ['has no deposit address', { step: { depositAddress: undefined } }],
    ['has a Solana address', { step: { depositAddress: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' } }],
    ['has the zero address', { step: { depositAddress: `0x${'0'.repeat(40)}` } }],
    ['has the token as deposit address', { step: { depositAddress: originToken } }],
    ['has the address of the payment as deposit address', { step: { depositAddress: recipient } }],
    ['has the token of the payment as deposit address', { step: { depositAddress: destinationToken } }],
    ['has no request id', { step: { requestId: undefined } }],
  ])('that %s is shown to no customer', async (_, changes) => {
    const { relay } = await relayThat(({ body }) => ({ body: quoteShape(body, changes) }))
    await expect(relay.quote(order)).rejects.toThrow(RelayDownError)
  })

  test('that names two addresses to send to is shown to no customer', async () => {
    const { relay } = await relayThat(({ body }) => {
      const { steps, ...rest } = quoteShape(body)
      const others = steps.map((step) => ({ ...step, depositAddress: recoveryAddress }))
      return { body: { ...rest, steps: [...steps, ...others] } }
    })
    await expect(relay.quote(order)).rejects.toThrow('it has 2 deposit addresses')
  })
})

describe('a fault', () => {
  test.each([
    ['a 500', { status: 500, body: { message: 'oops' } }],
    ['a 503', { status: 503, body: { message: 'down', errorCode: 'SERVICE_UNAVAILABLE' } }],
    ['a price that could not be got', { status: 400, body: { message: 'price', errorCode: 'PRICE_FETCH_FAILED' } }],
    ['a 429 that asks for a moment', { status: 429, headers: { 'retry-after': '0' }, body: { message: 'slow' } }],
    ['something that is no JSON', { body: '<html>' }],
  ])('of %s is over at the next try', async (_, fault) => {
    let tries = 0
    const { relay } = await relayThat(({ body }) => {
      tries += 1
      return tries === 1 ? fault : { body: quoteShape(body) }
    })
    expect(await relay.quote(order)).toMatchObject({ requestId })
    expect(tries).toBe(2)
  })

  test('that stays is given up after three tries; one that asks for much patience, at once', async () => {
    const failing = await relayThat(() => ({ status: 502 }))
    await expect(failing.relay.quote(order)).rejects.toThrow(RelayDownError)
    expect(failing.asked).toHaveLength(3)
    close()
    const busy = await relayThat(() => ({ status: 429, headers: { 'retry-after': '30' }, body: { message: 'limit' } }))
    await expect(busy.relay.quote(order)).rejects.toMatchObject({ retryAfterMs: 30_000 })
    expect(busy.asked).toHaveLength(1)
  })

  test('a refusal is not asked for again, and keeps Relay’s code', async () => {
    const refusal = { message: 'Amount is too low', errorCode: 'AMOUNT_TOO_LOW', errorData: {}, requestId }
    const { relay, asked } = await relayThat(() => ({ status: 400, body: refusal }))
    const error = await relay.quote(order).catch((fault: unknown) => fault)
    expect(error).toBeInstanceOf(RelayRefusal)
    expect(error).toMatchObject({ status: 400, errorCode: 'AMOUNT_TOO_LOW', message: 'Amount is too low' })
    expect(asked).toHaveLength(1)
  })

  test('an answer from elsewhere is not believed, one without end is not read', async () => {
    const elsewhere = await relayThat(() => ({ status: 302, headers: { location: 'http://127.0.0.1:1/' } }))
    await expect(elsewhere.relay.status(requestId)).rejects.toThrow(RelayDownError)
    close()
    const endless = await relayThat(() => ({ body: `{"status":"${'x'.repeat(9_000_000)}"}` }))
    await expect(endless.relay.status(requestId)).rejects.toThrow(/larger than/)
  })

  test('a caller that stops waiting is not kept', async () => {
    const { relay } = await relayThat(() => ({ hang: true }))
    await expect(relay.status(requestId, AbortSignal.timeout(50))).rejects.toThrow(RelayDownError)
  })
})

const [inTx, outTx, otherTx] = ['a1', 'b2', 'c3'].map((byte) => `0x${byte.repeat(32)}`)
const statusShape = (changes: object) => ({
  ...{ status: 'waiting', details: '', inTxHashes: [], txHashes: [], updatedAt: 1_713_290_386_145 },
  ...{ originChainId: 8453, destinationChainId: 31_337, quoteCreatedAt: 1_713_290_380_000 },
  ...{ failReason: 'N/A', refundFailReason: 'N/A', ...changes },
})

describe('the status', () => {
  const none = { originTxId: null, destinationTxId: null, refundTxId: null, reason: null }
  test.each([
    [{}, { ...none, status: 'waiting' }],
    [
      { status: 'depositing', inTxHashes: [inTx] },
      { ...none, status: 'depositing', originTxId: inTx },
    ],
    [
      { status: 'submitted', inTxHashes: [inTx] },
      { ...none, status: 'submitted', originTxId: inTx },
    ],
    [
      { status: 'delayed', inTxHashes: [inTx] },
      { ...none, status: 'delayed', originTxId: inTx },
    ],
    [
      { status: 'success', inTxHashes: [inTx], txHashes: [outTx], failReason: undefined },
      { ...none, status: 'success', originTxId: inTx, destinationTxId: outTx },
    ],
    [
      { status: 'refund', inTxHashes: [inTx], txHashes: [outTx, otherTx], failReason: 'AMOUNT_TOO_LOW' },
      { ...none, status: 'refund', originTxId: inTx, refundTxId: outTx, reason: 'AMOUNT_TOO_LOW' },
    ],
    [
      { status: 'refunded', txHashes: [outTx] },
      { ...none, status: 'refund', refundTxId: outTx },
    ],
    [
      { status: 'failure', failReason: 'SLIPPAGE', refundFailReason: 'MANUAL_REFUND_REQUIRED' },
      { ...none, status: 'failure', reason: 'SLIPPAGE, MANUAL_REFUND_REQUIRED' },
    ],
    [
      { status: 'failure', inTxHashes: [inTx], txHashes: [outTx] },
      { ...none, status: 'failure', originTxId: inTx },
    ],
    [{ status: 'teleporting' }, { ...none, status: null, statusText: 'teleporting' }],
  ])('%j is read', async (changes, expected) => {
    const { relay, asked } = await relayThat(() => ({ body: statusShape(changes) }))
    expect(await relay.status(requestId)).toMatchObject(expected)
    expect(asked[0]?.path).toBe(`/intents/status/v3?requestId=${requestId}`)
  })
})

test('the chains say which of them are EVM, are open, and what they take', async () => {
  const { relay, asked } = await relayThat(() => ({ body: chainsShape() }))
  const chains = await relay.chains()
  expect(asked[0]).toMatchObject({ method: 'GET', path: '/chains', apiKey: undefined })
  expect(chains.map(({ id, isEvm, isEnabled }) => [id, isEvm, isEnabled])).toEqual([
    ...[
      [8453, true, true],
      [31_337, true, true],
      [10, true, false],
      [42, true, false],
    ],
    ...[
      [792_703_809, false, true],
      [1_337, false, true],
    ],
  ])
  expect(chains[0]?.tokens.map(({ symbol }) => symbol)).toEqual(['ETH', 'USDC'])
})

test.each([
  ['beside the status', (inTxs: object[], outTxs: object[]) => ({ inTxs, outTxs, failReason: null })],
  ['under data', (inTxs: object[], outTxs: object[]) => ({ data: { inTxs, outTxs } })],
])('the requests of a deposit address are read with their transactions %s', async (_, place) => {
  const request = { id: requestId, status: 'success', user: recipient, recipient }
  const { relay, asked } = await relayThat(() => ({
    body: { requests: [{ ...request, ...place([{ txHash: inTx, chainId: 8453 }], [{ hash: outTx }]) }] },
  }))
  expect(await relay.requests(relayAddress)).toEqual([
    expect.objectContaining({ id: requestId, status: 'success', originTxId: inTx, destinationTxId: outTx }),
  ])
  expect(asked[0]?.path).toContain(`/requests/v3?depositAddress=${relayAddress}`)
})

test('a reindex that came too soon is no fault', async () => {
  const { relay, asked } = await relayThat(({ body }) =>
    body['chainId'] === 8453 ? { body: { message: 'ok' } } : { status: 429, body: { message: 'too soon' } },
  )
  expect(await relay.reindex(8453, relayAddress)).toBe(true)
  expect(await relay.reindex(1, relayAddress)).toBe(false)
  expect(asked[0]).toMatchObject({
    ...{ method: 'POST', path: '/transactions/deposit-address/reindex' },
    body: { chainId: 8453, depositAddress: relayAddress },
  })
})
