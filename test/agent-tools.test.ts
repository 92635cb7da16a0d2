import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, describe, expect, test } from 'vitest'
import { runCommand } from './harness/bff.ts'
import { expectBooksToClose } from './harness/books.ts'
import { openStory } from './harness/story.ts'

const main = fileURLToPath(new URL('../bff/dist/main.js', import.meta.url))
const story = await openStory('agent-tools', { settings: { publicUrl: 'https://pay.example' } })
const { bff, chain, sweep, merchant } = story

const clients: Client[] = []
afterAll(async () => {
  for (const client of clients) await client.close()
})

const keys = { CHECKOUT_API_KEY: merchant.apiKey, CHECKOUT_API_SECRET: merchant.apiSecret }

function transportOf(kind: 'stdio' | 'http') {
  if (kind === 'stdio') {
    const env = { ...keys, CHECKOUT_URL: bff.url(), PATH: process.env['PATH'] ?? '' }
    return new StdioClientTransport({ command: process.execPath, args: [main, 'mcp'], env, stderr: 'ignore' })
  }
  const headers = { 'x-api-key': merchant.apiKey, 'x-api-secret': merchant.apiSecret }
  return new StreamableHTTPClientTransport(new URL('/mcp', bff.url()), { requestInit: { headers } })
}

async function connect(kind: 'stdio' | 'http'): Promise<Client> {
  const client = new Client({ name: 'stories', version: '1' })
  // The SDK's types do not know `exactOptionalPropertyTypes`.
  await client.connect(transportOf(kind) as never)
  clients.push(client)
  return client
}

type Payment = { id: string; amount: string; depositAddress: string; paymentLink: string; expiresAt: string }
type Answer = { message: string; payment: Payment } & Record<string, unknown>

async function call(client: Client, name: string, input: Record<string, unknown>, options = {}): Promise<Answer> {
  const answer = await client.callTool({ name, arguments: input }, undefined, options)
  expect(answer['isError'], JSON.stringify(answer['content'])).toBeUndefined()
  return answer['structuredContent'] as Answer
}

describe.each(['stdio', 'http'] as const)('an agent with the tools over %s', (kind) => {
  test('creates a payment on the chain and follows it to paid', async () => {
    const client = await connect(kind)
    const listed = await call(client, 'list_networks', {})
    expect(listed['networks']).toEqual(expect.arrayContaining([expect.objectContaining({ network: 'devnet' })]))
    const order = { amount: '25.00', currency: 'USDC', network: 'devnet', orderId: `tools-${kind}` }
    const { message, payment } = await call(client, 'create_payment', order)
    expect(message).toContain(`Waiting for 25.00 USDC on devnet to ${payment.depositAddress}`)
    expect(payment.paymentLink).toContain(`https://pay.example/pay/${payment.id}#client_secret=cs_`)

    const progress: string[] = []
    const onprogress = (step: { message?: string }) => progress.push(step.message ?? '')
    const waiting = call(client, 'wait_for_payment', { paymentId: payment.id, timeoutSeconds: 120 }, { onprogress })
    await expect.poll(() => progress.length).toBeGreaterThan(0)
    await chain.pay(payment.depositAddress as `0x${string}`, '25.00')
    await expect.poll(() => progress.at(-1)).toContain('was seen on devnet; it has 1 of 3 confirmations.')
    await chain.mine(2)
    expect(await waiting).toMatchObject({ isDone: true, payment: { outcome: 'paid', amountReceived: '25.00' } })
    await sweep([payment as never])
    const settled = await call(client, 'get_payment', { paymentId: payment.id })
    expect(settled.message).toBe("Paid: 25.00 USDC on devnet. The money is in the merchant's wallet.")
  })

  test('creates a link to a test payment, and follows it to paid', async () => {
    const client = await connect(kind)
    const order = { amount: '5.00', currency: 'USDC', network: 'devnet', isTest: true }
    const { payment } = await call(client, 'create_payment', order)
    const waiting = call(client, 'wait_for_payment', { paymentId: payment.id, timeoutSeconds: 120 })
    const { status } = await bff.ask(`/api/v1/sandbox/payments/${payment.id}/simulate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': merchant.apiKey, 'x-api-secret': merchant.apiSecret },
      body: JSON.stringify({ action: 'complete' }),
    })
    expect(status).toBe(200)
    expect(await waiting).toMatchObject({ isDone: true, payment: { outcome: 'paid', isTest: true } })
  })
})

test('the program for desktop clients says what it lacks, and what the service refuses', async () => {
  const { exitCode, stderr } = runCommand(['mcp'], { CHECKOUT_URL: bff.url(), CHECKOUT_API_KEY: '' })
  expect([exitCode, stderr]).toEqual([3, expect.stringContaining('CHECKOUT_API_KEY is not set')])
  const noUrl = runCommand(['mcp', '--url', 'pay.example'], keys)
  expect([noUrl.exitCode, noUrl.stderr]).toEqual([
    3,
    expect.stringContaining('"pay.example" is not the URL of a service'),
  ])
  const env = { ...keys, CHECKOUT_API_SECRET: 'sk_wrong', CHECKOUT_URL: bff.url() }
  const client = new Client({ name: 'stories', version: '1' })
  const wrong = new StdioClientTransport({ command: process.execPath, args: [main, 'mcp'], env, stderr: 'ignore' })
  await expect(client.connect(wrong as never)).rejects.toThrow(/The service did not respond: .*(API credentials|401)/)
  await client.close()
})

test('the books close', async () => {
  await expectBooksToClose(story)
})
