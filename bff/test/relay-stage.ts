import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  createRelay,
  createSources,
  type RelaySettings,
  relaySetting,
  resolveRelay,
} from '@stablecoin-checkout/bff/testing/checkout'
import { silentLog } from '@stablecoin-checkout/bff/testing/core'
import { openApp } from './test-app.ts'

// Shapes of Relay's API, from its reference, with the tests' chains. For tests.

export const originToken = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
export const destinationToken = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
export const relayAddress = '0x1Ba74e01D46372008260EC971F77eb6032b938a4'
export const requestId = `0x${'8b'.repeat(32)}`

const zeroAddress = `0x${'0'.repeat(40)}`
const usdc = (address: string) => ({ id: 'usdc', symbol: 'USDC', name: 'USD Coin', address, decimals: 6 })

const chain = (id: number, name: string, changes: object = {}) => ({
  id,
  name,
  displayName: name,
  httpRpcUrl: 'https://rpc.example',
  wsRpcUrl: 'wss://rpc.example',
  explorerUrl: 'https://scan.example',
  explorerName: 'Scan',
  explorerPaths: null,
  depositEnabled: true,
  tokenSupport: 'Limited',
  disabled: false,
  partialDisableLimit: 0,
  blockProductionLagging: false,
  currency: { id: 'eth', symbol: 'ETH', name: 'Ether', address: zeroAddress, decimals: 18, supportsBridging: true },
  withdrawalFee: 0,
  depositFee: 0,
  surgeEnabled: false,
  featuredTokens: [],
  erc20Currencies: [],
  solverCurrencies: [
    { id: 'eth', symbol: 'ETH', name: 'Ether', address: zeroAddress, decimals: 18 },
    usdc(originToken),
  ],
  iconUrl: 'https://icons.example/1.png',
  contracts: { multicall3: zeroAddress },
  vmType: 'evm',
  ...changes,
})

export const chainsShape = (changes: object[] = []) => ({
  chains: [
    chain(8453, 'Base'),
    chain(31_337, 'Devnet', { solverCurrencies: [usdc(destinationToken)] }),
    chain(10, 'Optimism', { disabled: true }),
    chain(42, 'No deposits', { depositEnabled: false }),
    chain(792_703_809, 'Solana', { vmType: 'svm' }),
    chain(1337, 'Hyperliquid', { vmType: 'hypevm' }),
    ...changes,
  ],
})

type QuoteBody = Record<string, unknown> & { recipient: string; amount: string }

/** A quote with a fee of 0.10. `changes` are merged into the details and the first step. */
export function quoteShape(body: QuoteBody, changes: { details?: object; step?: object } = {}) {
  const { recipient, amount } = body
  const side = (chainId: unknown, address: unknown, units: string) => ({
    currency: { chainId, address, symbol: 'USDC', name: 'USD Coin', decimals: 6, metadata: { logoURI: '' } },
    amount: units,
    amountFormatted: '',
    amountUsd: '',
    minimumAmount: units,
  })
  const amountIn = String(BigInt(amount) + 100_000n)
  return {
    steps: [
      {
        id: 'deposit',
        action: 'Confirm transaction in your wallet',
        description: 'Depositing funds to the relayer to execute the swap',
        kind: 'transaction',
        requestId,
        depositAddress: relayAddress,
        items: [
          {
            status: 'incomplete',
            data: { from: zeroAddress, to: originToken, data: '0xa9059cbb', value: '0', chainId: 8453 },
            check: { endpoint: `/intents/status/v3?requestId=${requestId}`, method: 'GET' },
          },
        ],
        ...changes.step,
      },
    ],
    fees: { gas: {}, relayer: {}, relayerGas: {}, relayerService: {}, app: {} },
    details: {
      operation: 'bridge',
      sender: body['user'],
      recipient,
      currencyIn: side(body['originChainId'], body['originCurrency'], amountIn),
      currencyOut: side(body['destinationChainId'], body['destinationCurrency'], amount),
      refundCurrency: side(body['originChainId'], body['originCurrency'], amountIn),
      timeEstimate: 3,
      rate: '0.99',
      ...changes.details,
    },
    protocol: { v2: { orderId: '0x01', orderData: {}, paymentDetails: {} } },
  }
}

export type Asked = { method: string; path: string; body: QuoteBody; apiKey: string | undefined }
export type RelayResponse = { status?: number; headers?: Record<string, string>; body?: unknown; hang?: boolean }

/** An HTTP server with the test's responses, which records its requests. */
export async function openRelayDouble(answer: (asked: Asked) => RelayResponse) {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const text = Buffer.concat(parts).toString()
      const { method = '', url = '', headers } = request
      const body = (text === '' ? {} : JSON.parse(text)) as QuoteBody
      const question = { method, path: url, body, apiKey: headers['x-api-key'] as string | undefined }
      asked.push(question)
      const given = answer(question)
      if (given.hang) return
      response.writeHead(given.status ?? 200, { 'content-type': 'application/json', ...given.headers })
      response.end(typeof given.body === 'string' ? given.body : JSON.stringify(given.body ?? {}))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    baseUrl,
    asked,
    of: (path: string) => asked.filter((one) => one.path.startsWith(path)),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export const settingsFor = (baseUrl: string, changes: object = {}): RelaySettings => {
  const settings = resolveRelay(relaySetting.parse({ baseUrl, ...changes }), 'a-key')
  if (settings === null) throw new Error('There is no relay')
  return settings
}

/** The application with a relay that works, unless `responses` has another response for a path. */
export async function openBridgedApp(changes: Parameters<typeof openApp>[0] = {}) {
  const responses = new Map<string, (asked: Asked) => RelayResponse>()
  const relay = await openRelayDouble((asked) => {
    const path = asked.path.split('?')[0] ?? ''
    const special = responses.get(path)
    if (special) return special(asked)
    if (path === '/chains') return { body: chainsShape() }
    if (path === '/quote/v2') return { body: quoteShape(asked.body) }
    return { status: 404, body: { message: 'not found' } }
  })
  const settings = settingsFor(relay.baseUrl)
  const client = createRelay(settings)
  const clock = { nowMs: () => Date.parse('2026-11-21T12:00:00Z') }
  const runtime = { ...clock, newUuid: () => '', randomBytes: (count: number) => new Uint8Array(count) }
  const sources = createSources({ relay: client, settings, runtime, log: silentLog })
  const app = await openApp({ bridges: { relay: client, sources, settings }, ...changes })
  return {
    ...app,
    relay,
    client,
    responses,
    async close() {
      relay.close()
      await app.close()
    },
  }
}
