import { randomBytes } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { RelayChain } from './chain.ts'
import { feeOf, type Order } from './order.ts'
import { noSwitches, parseSwitches, type Switches, takeFault } from './switches.ts'

type Hex = `0x${string}`

const bodyBytesMax = 64_000
/** Base units; the real API returns the same error below it. */
const amountMin = 500_000n
const ordersMax = 5_000
/** Minimum interval between reindexing requests for an address. */
const reindexEveryMs = 1_000
const nativeCoin = `0x${'0'.repeat(40)}`

type Deps = {
  chains: ReadonlyMap<number, RelayChain>
  orders: Map<string, Order>
  save: () => void
  nowMs: () => number
}

/**
 * Relay's HTTP API for devnet chains, and `/emulator/switches` (GET, PUT, DELETE), which the real API does not have.
 * @see https://docs.relay.link/references/api/overview
 */
export function createRelayApi({ chains, orders, save, nowMs }: Deps) {
  const app = new Hono()
  let switches: Switches = noSwitches()
  const reindexedAtMs = new Map<string, number>()

  app.use(bodyLimit({ maxSize: bodyBytesMax, onError: (c) => c.json({ message: 'too large' }, 413) }))
  app.use(async (c, next) => {
    const fault = c.req.path.startsWith('/emulator/') ? null : takeFault(switches, c.req.path)
    if (fault === null) return await next()
    const { status, errorCode, message = 'A switch requires this error.', retryAfterSeconds } = fault
    if (retryAfterSeconds !== undefined) c.header('Retry-After', String(retryAfterSeconds))
    return c.json({ message, ...(errorCode !== undefined && { errorCode }) }, status as 500)
  })

  app.get('/chains', (c) =>
    c.json({ chains: [...[...chains.values()].map(chainShape), { id: 792_703_809, name: 'solana', vmType: 'svm' }] }),
  )

  app.post('/quote/v2', async (c) => {
    const body = (await c.req.json().catch(() => ({}))) as Record<string, unknown>
    const refuse = (errorCode: string, message: string) => c.json({ message, errorCode }, 400)
    const [origin, destination] = [
      chains.get(Number(body['originChainId'])),
      chains.get(Number(body['destinationChainId'])),
    ]
    if (!origin || !destination) return refuse('UNSUPPORTED_CHAIN', 'One of the chains is not of the devnet.')
    const originToken = tokenOf(origin, body['originCurrency'])
    const destinationToken = tokenOf(destination, body['destinationCurrency'])
    if (!originToken || !destinationToken) return refuse('UNSUPPORTED_CURRENCY', 'One of the tokens is not known.')
    if (body['useDepositAddress'] !== true || body['strict'] !== true || body['tradeType'] !== 'EXACT_OUTPUT') {
      return refuse('INVALID_INPUT', 'Only strict deposit addresses with an exact output are emulated.')
    }
    const { recipient, refundTo, amount, ttl } = body
    if (typeof refundTo !== 'string') return refuse('INVALID_INPUT', 'A strict deposit address needs refundTo.')
    if (!isAddress(recipient)) return refuse('INVALID_ADDRESS', 'recipient is no address.')
    if (typeof amount !== 'string' || !/^\d{1,30}$/.test(amount)) return refuse('INVALID_INPUT', 'amount is no number.')
    if (BigInt(amount) < amountMin) return refuse('AMOUNT_TOO_LOW', `The least is ${amountMin}.`)
    const seconds = Number.isInteger(ttl) ? Number(ttl) : 86_400
    const privateKey = generatePrivateKey()
    const order: Order = {
      requestId: `0x${randomBytes(32).toString('hex')}`,
      depositAddress: privateKeyToAddress(privateKey),
      privateKey,
      originChainId: origin.chainId,
      originToken,
      destinationChainId: destination.chainId,
      destinationToken,
      recipient,
      amountIn: String(BigInt(amount) + feeOf(BigInt(amount))),
      amountOut: amount,
      createdAtMs: nowMs(),
      expiresAtMs: nowMs() + seconds * 1_000,
      originBlock: String(await origin.head()),
      destinationBlock: String(await destination.head()),
      status: 'waiting',
      isHidden: switches.isBlind,
      outcome: 'fill',
      readyAtMs: 0,
      payer: null,
      received: null,
      inTxHash: null,
      outTxHash: null,
      refundTxHash: null,
      failReason: null,
    }
    const oldest = orders.keys().next()
    if (orders.size >= ordersMax && oldest.done !== true) orders.delete(oldest.value)
    orders.set(order.requestId, order)
    save()
    return c.json(quoteShape(order, String(body['user'] ?? '')))
  })

  app.get('/intents/status/v3', (c) => {
    const order = orders.get(c.req.query('requestId') ?? '')
    return order === undefined ? c.json({ message: 'not found' }, 404) : c.json(statusShape(order, switches))
  })

  app.get('/requests/v3', (c) => {
    const address = (c.req.query('depositAddress') ?? '').toLowerCase()
    const found = [...orders.values()].filter(({ depositAddress }) => depositAddress.toLowerCase() === address)
    return c.json({ requests: found.map((order) => requestShape(order, switches)) })
  })

  app.post('/transactions/deposit-address/reindex', async (c) => {
    const { depositAddress } = (await c.req.json().catch(() => ({}))) as Record<string, unknown>
    const order = [...orders.values()].find((one) => one.depositAddress === depositAddress)
    if (order === undefined) return c.json({ message: 'not found' }, 404)
    const lastMs = reindexedAtMs.get(order.depositAddress) ?? 0
    if (nowMs() - lastMs < reindexEveryMs) return c.json({ message: 'too soon' }, 429)
    reindexedAtMs.set(order.depositAddress, nowMs())
    order.isHidden = false
    return c.json({ message: 'Reindexing has begun.' })
  })

  app.get('/emulator/switches', (c) => c.json(switches))
  app.put('/emulator/switches', async (c) => {
    // A page of another origin cannot send JSON without a preflight, which is never allowed.
    if (!isJson(c)) return c.json({ message: 'Send JSON.' }, 415)
    try {
      switches = parseSwitches(await c.req.json().catch(() => null))
      return c.json(switches)
    } catch (error) {
      return c.json({ message: error instanceof Error ? error.message : String(error) }, 400)
    }
  })
  app.delete('/emulator/switches', (c) => {
    switches = noSwitches()
    return c.json(switches)
  })

  return { app, switches: () => switches }
}

const isJson = (c: Context) => (c.req.header('content-type') ?? '').startsWith('application/json')
const isAddress = (value: unknown): value is Hex => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)

function tokenOf({ tokens }: RelayChain, address: unknown): Hex | undefined {
  const wanted = String(address).toLowerCase()
  return Object.values(tokens).find((token) => token.address.toLowerCase() === wanted)?.address
}

function chainShape({ chainId, name, tokens }: RelayChain) {
  return {
    id: chainId,
    name: name.toLowerCase(),
    displayName: name,
    explorerUrl: null,
    vmType: 'evm',
    depositEnabled: true,
    disabled: false,
    tokenSupport: 'Limited',
    blockProductionLagging: false,
    currency: { id: 'eth', symbol: 'ETH', name: 'Ether', address: nativeCoin, decimals: 18 },
    solverCurrencies: Object.entries(tokens).map(([symbol, token]) => ({
      id: symbol.toLowerCase(),
      symbol,
      name: symbol,
      address: token.address,
      decimals: token.decimals,
    })),
  }
}

function quoteShape(order: Order, user: string) {
  const side = (chainId: number, address: Hex, amount: string) => ({
    currency: { chainId, address, decimals: 6 },
    amount,
    minimumAmount: amount,
  })
  const { requestId, depositAddress, originChainId, originToken, amountIn, recipient } = order
  return {
    steps: [
      {
        id: 'deposit',
        action: 'Send',
        description: 'Deposit funds to the relay',
        kind: 'transaction',
        requestId,
        depositAddress,
        items: [
          { status: 'incomplete', check: { endpoint: `/intents/status/v3?requestId=${requestId}`, method: 'GET' } },
        ],
      },
    ],
    fees: {},
    details: {
      operation: 'bridge',
      sender: user,
      recipient,
      timeEstimate: 2,
      currencyIn: side(originChainId, originToken, amountIn),
      currencyOut: side(order.destinationChainId, order.destinationToken, order.amountOut),
      refundCurrency: side(originChainId, originToken, amountIn),
    },
  }
}

function shownStatus({ status }: Order, switches: Switches): string {
  return ['waiting', 'success', 'refund'].includes(status) ? status : (switches.status ?? status)
}

const present = (hashes: (Hex | null)[]) => hashes.filter((hash) => hash !== null)

/** The final transaction: the delivery or the refund. */
const outHashes = ({ status, outTxHash, refundTxHash }: Order) =>
  present(status === 'refund' ? [refundTxHash] : [outTxHash])

function statusShape(order: Order, switches: Switches) {
  const { inTxHash, failReason, originChainId, destinationChainId, createdAtMs } = order
  return {
    status: shownStatus(order, switches),
    details: '',
    originChainId,
    destinationChainId,
    inTxHashes: present([inTxHash]),
    txHashes: outHashes(order),
    quoteCreatedAt: createdAtMs,
    failReason: failReason ?? 'N/A',
    refundFailReason: 'N/A',
  }
}

function requestShape(order: Order, switches: Switches) {
  const { requestId, recipient, inTxHash, originChainId, destinationChainId, failReason, status } = order
  const outChainId = status === 'refund' ? originChainId : destinationChainId
  return {
    id: requestId,
    status: shownStatus(order, switches),
    recipient,
    failReason,
    inTxs: present([inTxHash]).map((txHash) => ({ txHash, chainId: originChainId })),
    outTxs: outHashes(order).map((txHash) => ({ txHash, chainId: outChainId })),
  }
}
