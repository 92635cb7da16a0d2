import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getAssociatedTokenAddressSync } from '@solana/spl-token'
import { Connection, Keypair, PublicKey } from '@solana/web3.js'
import { type Devnet, type DevnetNetwork, startDevnet } from '@stablecoin-checkout/rig/devnet/devnet'
import { freePort, host } from '@stablecoin-checkout/rig/processes/ports'
import { createPublicClient, http, parseAbi } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestCustomer, type PayRequest, type TestCustomer } from './customer.ts'
import { PayError } from './pay-error.ts'
import { openTurns } from './turns.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'customer-'))
const paymentId = '3f2f5f1e-52a1-4a0e-9d3c-6a5c3c1f0001'
/** Checksummed, like the service's addresses. */
const depositAddress = '0x1111111111111111111111111111111111111111'

let devnet: Devnet
let service: Server
let customer: TestCustomer
/** The service's response about the payment. */
let payment: Record<string, unknown>

beforeAll(async () => {
  const first = await freePort()
  devnet = await startDevnet({ dataDir, ports: [first, await freePort([first])], blockTimeSeconds: null })
  const bff = await startService()
  customer = createTestCustomer(
    {
      ...{
        port: 0,
        bff,
        origin: '',
        publicKey: '',
        apiKey: '',
        apiSecret: '',
        webhookSecret: '',
        journalPath: null,
        scriptPath: '',
      },
      networks: devnet.networks,
      customerPrivateKey: devnet.customer.privateKey,
      solana: { network: devnet.solana.network, customerSecretKey: devnet.solana.customer.secretKey },
    },
    openTurns(),
  )
})

afterAll(async () => {
  service?.close()
  await devnet?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

beforeEach(() => {
  payment = { id: paymentId, network: 'devnet', currency: 'USDC', depositAddress, amountRemaining: '25.00' }
})

test('the exact remaining amount is sent in the payment’s token on its network', async () => {
  for (const network of devnet.networks) {
    for (const currency of ['USDC', 'USDT'] as const) {
      payment = { ...payment, network: network.shortName, currency, amountRemaining: '25.000001' }
      const paid = await customer.pay({ paymentId })
      expect(paid).toMatchObject({ amount: '25.000001', currency, network: network.shortName })
      expect(await received(network, currency)).toBe(25_000_001n)
    }
  }
})

test('on Solana the exact amount goes to an owner, in a token account that the customer creates', async () => {
  const { shortName, rpcUrl, tokens } = devnet.solana.network
  const owner = Keypair.generate().publicKey
  payment = { ...payment, network: shortName, depositAddress: owner.toBase58(), amountRemaining: '25.000001' }
  for (const currency of ['USDC', 'USDT'] as const) {
    payment = { ...payment, currency }
    const paid = await customer.pay({ paymentId })
    expect(paid).toMatchObject({ amount: '25.000001', currency, network: shortName })
    const account = getAssociatedTokenAddressSync(new PublicKey(tokens[currency].address), owner)
    const { value } = await new Connection(rpcUrl, 'processed').getTokenAccountBalance(account)
    expect(value.amount).toBe('25000001')
  }
  await expect(customer.pay({ paymentId, amount: '9999.00' })).resolves.toMatchObject({ amount: '9999.00' })
})

test('a cross-chain payment is paid on the origin chain, exactly and once', async () => {
  const [, elsewhere] = devnet.networks
  const before = await received(elsewhere, 'USDT')
  payment = {
    ...payment,
    ...{ depositAddress: null, relayDepositAddress: depositAddress, originChainId: elsewhere.chainId },
    ...{ originCurrency: 'USDT', amountToSendFormatted: '25.075', bridgeStatus: 'waiting' },
  }
  expect(await customer.pay({ paymentId })).toMatchObject({ amount: '25.075', currency: 'USDT', network: 'devnet-b' })
  expect((await received(elsewhere, 'USDT')) - before).toBe(25_075_000n)
  payment = { ...payment, bridgeStatus: 'pending' }
  expect(await refusal({ paymentId })).toMatch(/^409 Nothing is left to pay/)
})

test('forty concurrent payments all arrive', async () => {
  const [network] = devnet.networks
  const before = await received(network, 'USDC')
  const all = Array.from({ length: 40 }, () => customer.pay({ paymentId, amount: '1.50' }))
  const hashes = new Set((await Promise.all(all)).map(({ hash }) => hash))
  expect(hashes.size).toBe(40)
  expect((await received(network, 'USDC')) - before).toBe(60_000_000n)
})

test('nothing is sent for a missing or absurd amount', async () => {
  const [network] = devnet.networks
  const before = await received(network, 'USDC')
  payment = { ...payment, amountRemaining: '0.00' }
  expect(await refusal({ paymentId })).toMatch(/^409 Nothing is left to pay/)
  expect(await refusal({ paymentId, amount: '10000.01' })).toMatch(/^400 The test customer pays at most 10000/)
  for (const amount of ['-1', '1e3', '0.0000001', 'all']) expect(await refusal({ paymentId, amount })).toMatch(/^400 /)
  expect(await received(network, 'USDC')).toBe(before)
})

test('a payment that is unknown, on another network, or without an address is a clear error', async () => {
  expect(await refusal({ paymentId: '../secrets' })).toMatch(/^400 paymentId must be/)
  expect(await refusal({ paymentId: '3f2f5f1e-52a1-4a0e-9d3c-6a5c3c1f0404' })).toMatch(/^404 No payment/)
  payment = { ...payment, network: 'base' }
  expect(await refusal({ paymentId })).toBe('400 The test customer has no USDC on base.')
  payment = { ...payment, network: 'devnet', depositAddress: undefined }
  expect(await refusal({ paymentId })).toBe('409 This payment has no deposit address: pay it with a wallet.')
})

test('a refused transfer is reported with its reason, and the next one goes through', async () => {
  payment = { ...payment, depositAddress: devnet.networks[0].tokens.USDC.address }
  const broke = createTestCustomer(
    {
      ...{
        port: 0,
        bff: serviceOrigin(),
        origin: '',
        publicKey: '',
        apiKey: '',
        apiSecret: '',
        webhookSecret: '',
        journalPath: null,
        scriptPath: '',
      },
      networks: devnet.networks,
      // Has gas, and no tokens.
      customerPrivateKey: devnet.operator.privateKey,
    },
    openTurns(),
  )
  await expect(broke.pay({ paymentId })).rejects.toThrow(/^Devnet refused the transfer/)
  await expect(customer.pay({ paymentId, amount: '1' })).resolves.toMatchObject({ amount: '1.00' })
})

async function refusal(request: PayRequest): Promise<string> {
  const error = await customer.pay(request).catch((thrown: unknown) => thrown)
  return error instanceof PayError ? `${error.status} ${error.message}` : String(error)
}

async function received(network: DevnetNetwork, currency: 'USDC' | 'USDT'): Promise<bigint> {
  const reader = createPublicClient({ transport: http(network.rpcUrl) })
  const abi = parseAbi(['function balanceOf(address holder) view returns (uint256)'])
  const { address } = network.tokens[currency]
  return await reader.readContract({ address, abi, functionName: 'balanceOf', args: [depositAddress] })
}

async function startService(): Promise<string> {
  service = createServer((request, response) => {
    const known = request.url === `/api/v1/payments/public/${paymentId}`
    response.writeHead(known ? 200 : 404, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(known ? { success: true, payment } : { success: false, error: 'Not found' }))
  })
  await new Promise<void>((resolve) => service.listen(0, host, () => resolve()))
  return serviceOrigin()
}

function serviceOrigin(): string {
  const address = service.address()
  if (typeof address !== 'object' || address === null) throw new Error('The service has no port')
  return `http://${host}:${address.port}`
}
