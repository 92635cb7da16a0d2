import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { listen } from './harness/listen.ts'
import { openStory } from './harness/story.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const client = join(root, 'bff/clients/node')
const { bff, chain } = await openStory('client-package')
const folder = mkdtempSync(join(tmpdir(), 'client-package-'))
const project = join(folder, 'project')

/** All that the client's dependencies need, and the types of Node, which its users have. */
const dependencies = [
  'openapi-fetch',
  'openapi-typescript-helpers',
  'standardwebhooks',
  '@stablelib/base64',
  'fast-sha256',
  '@types/node',
  'undici-types',
]

function run(command: string, args: string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  expect({ status, output: status === 0 ? '' : `${stdout}${stderr}` }).toEqual({ status: 0, output: '' })
  return stdout
}

/** The example of the README. */
const [, example = ''] = /^```ts\n(.*?)^```$/ms.exec(readFileSync(join(client, 'README.md'), 'utf8')) ?? []

/** The compiler must accept this text: it refuses what the marked lines have. */
const refusedText = `
import { createClient, type WebhookEvent } from '@stablecoin-checkout/client'
const keys = { apiKey: 'ak_1', apiSecret: 'sk_1' }
const checkout = createClient({ baseUrl: 'https://pay.example', ...keys })

// @ts-expect-error A public key stands alone.
createClient({ baseUrl: 'https://pay.example', publicKey: 'pk_live_1', ...keys })
// @ts-expect-error The network is required.
checkout.POST('/deposits/create', { body: { amount: '25.00', currency: 'USDC' } })
// @ts-expect-error The id is required.
checkout.GET('/payments/{paymentId}')
// @ts-expect-error There is no such path.
checkout.GET('/payment')
// @ts-expect-error There is no such method of the path.
checkout.DELETE('/payments')
// @ts-expect-error The dashboard's operations need a person's session.
checkout.GET('/dashboard/session')

export async function outcomes() {
  const { payment } = await checkout.GET('/payments/{paymentId}', { params: { path: { paymentId: '1' } } })
  // @ts-expect-error There is no such outcome.
  return payment.outcome === 'sent'
}
// @ts-expect-error An event of a test has no payment.
export const idOf = (event: WebhookEvent) => event.data.id
`

const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  target: 'es2023',
  module: 'nodenext',
  lib: ['es2023'],
  types: ['node'],
  rootDir: '.',
  outDir: 'out',
}

/** A project with the packed client. Nothing is asked of a registry and no cache has anything: what the package does not declare is missing. */
beforeAll(() => {
  run('npm', ['run', '--silent', 'build', '-w', 'bff/clients/node'], root)
  const packed = [client, ...dependencies.map((name) => join(root, 'node_modules', name))]
  const names = ['@stablecoin-checkout/client', ...dependencies]
  const files = run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder, ...packed], root)
  const tarballs = files.trim().split('\n')
  mkdirSync(project)
  const manifest = {
    type: 'module',
    private: true,
    dependencies: Object.fromEntries(names.map((name, index) => [name, `file:../${tarballs[index]}`])),
  }
  const sources = {
    'package.json': JSON.stringify(manifest),
    'tsconfig.json': JSON.stringify({ compilerOptions, files: ['shop.ts', 'refused.ts'] }),
    'shop.ts': example,
    'refused.ts': refusedText,
  }
  for (const [name, source] of Object.entries(sources)) writeFileSync(join(project, name), source)
  const args = ['install', '--offline', '--cache', join(folder, 'cache'), '--ignore-scripts', '--no-audit', '--no-fund']
  run('npm', args, project)
})

afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

type Shop = {
  startPayment(orderId: string, amount: string, callbackUrl: string): Promise<{ id: string; address: string | null }>
  receiveWebhook(body: string, headers: object): Promise<string | null>
}

async function openShop(): Promise<Shop> {
  const { apiKey, apiSecret, webhookSecret } = bff.merchant
  vi.stubEnv('CHECKOUT_URL', bff.url())
  vi.stubEnv('API_KEY', apiKey)
  vi.stubEnv('API_SECRET', apiSecret)
  vi.stubEnv('WEBHOOK_SECRET', webhookSecret)
  vi.stubEnv('NETWORK', 'devnet')
  return (await import(pathToFileURL(join(project, 'out/shop.js')).href)) as Shop
}

test('the package has its licence and what it is made of, and no test', () => {
  const installed = join(project, 'node_modules/@stablecoin-checkout/client')
  expect(readFileSync(join(installed, 'LICENSE'), 'utf8')).toMatch(/^MIT License/)
  const names = readdirSync(join(installed, 'dist'))
  expect(names).toContain('index.d.ts')
  expect(names.filter((name) => name.includes('.test.'))).toEqual([])
})

test('the example of the README type-checks, takes a payment on the chain, and ships by a webhook', async () => {
  run(join(root, 'node_modules/.bin/tsc'), ['-p', '.'], project)
  const shop = await openShop()
  const shipped: (string | null)[] = []
  const refusals: unknown[] = []
  const server = createServer(async (request, response) => {
    await shop.receiveWebhook(await text(request), request.headers).then(
      (id) => shipped.push(id),
      (error: unknown) => refusals.push(error),
    )
    response.writeHead(204).end()
  })
  const { origin, close } = await listen(server)
  try {
    const { id, address } = await shop.startPayment('A-1042', '25.00', `${origin}/webhooks`)
    await expect.poll(() => shipped).toEqual([null])
    await chain.pay(address as `0x${string}`, '25.00')
    await chain.mine(2)
    await expect.poll(() => shipped).toContain(id)

    await fetch(`${origin}/webhooks`, { method: 'POST', body: '{"type":"payment.completed"}' })
    expect(refusals).toEqual([expect.objectContaining({ message: 'Missing required headers' })])
  } finally {
    await close()
  }
})

test('every call of the client that the reference shows type-checks', async () => {
  const read = async (path: string) => await (await fetch(`${bff.url()}${path}`)).text()
  const paths = new Set([...(await read('/docs')).matchAll(/href="(\/docs\/[\w-]+)"/g)].map(([, path = '']) => path))
  const pages = await Promise.all([...paths].map(read))
  const shown = [...pages.join('').matchAll(/<code data-language="ts">(.*?)<\/code>/gs)].map(([, code = '']) => code)
  const marks: Record<string, string> = { '&#39;': "'", '&quot;': '"', '&lt;': '<', '&gt;': '>', '&amp;': '&' }
  const calls = shown.map((code) => code.replaceAll(/&[#\w]+;/g, (mark) => marks[mark] ?? mark))
  expect(calls.length).toBeGreaterThan(60)
  const head = `import { createClient } from '@stablecoin-checkout/client'
const checkout = createClient({ baseUrl: 'https://pay.example', apiKey: 'ak_1', apiSecret: 'sk_1' })
`
  writeFileSync(join(project, 'reference-calls.ts'), [head, ...calls].join('\n'))
  run(join(root, 'node_modules/.bin/tsc'), ['-p', '.'], project)
})
