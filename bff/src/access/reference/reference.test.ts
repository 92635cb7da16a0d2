import { readFileSync } from 'node:fs'
import type { z } from '@hono/zod-openapi'
import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorCodes } from '../../core/error-codes.ts'
import { nodeExample } from './quickstart.ts'

let bff: AppFixture
const pages = new Map<string, string>()

beforeAll(async () => {
  bff = await openApp()
  for (const path of ['/docs', ...pathsOn(await read('/docs'))]) pages.set(path, await read(path))
})
afterAll(() => bff.close())

async function read(path: string): Promise<string> {
  const { status, headers, body } = await bff.app.request(path, { headers: { Host: 'pay.example' } })
  expect([path, status]).toEqual([path, 200])
  // The rest is read by `reference.e2e.test.ts` in a browser.
  expect(headers.get('Content-Security-Policy')).toContain("default-src 'none'; style-src 'self'; img-src data:;")
  return await new Response(body).text()
}

const pathsOn = (page: string) => [
  ...new Set([...page.matchAll(/href="(\/docs\/[^"#.]+)["#]/g)].map(([, path = '']) => path)),
]

type Body = { content?: Record<string, { example?: unknown }> }
type Operations = Record<string, Record<string, { operationId: string; requestBody?: Body }>>
const documented = async () => (await bff.read('/api/openapi.json', {})).body['paths'] as unknown as Operations

test('shows every operation of the document once, on the page of its task', async () => {
  const ids = Object.values(await documented()).flatMap((item) => Object.values(item).map((one) => one.operationId))
  const shown = [...pages.values()].flatMap((page) =>
    [...page.matchAll(/<section class="operation" id="(\w+)"/g)].map(([, id = '']) => id),
  )
  expect(shown.toSorted()).toEqual(ids.toSorted())
  expect([...pages.keys()]).toEqual([
    '/docs',
    '/docs/take-a-payment',
    '/docs/read-a-payment',
    '/docs/refund',
    '/docs/links',
    '/docs/webhooks',
    '/docs/agents',
    '/docs/test',
    '/docs/operate',
    '/docs/till',
    '/docs/dashboard',
    '/docs/objects',
  ])
})

test('every link within it leads to something', () => {
  const broken = [...pages].flatMap(([path, page]) =>
    [...page.matchAll(/href="(\/docs[^"#.]*)?#([^"]+)"/g)]
      .filter(([, target = path, id = '']) => !pages.get(target)?.includes(` id="${id}"`))
      .map(([whole]) => `${path}: ${whole}`),
  )
  expect(broken).toEqual([])
})

test('every example of a body is one that the operation accepts', async () => {
  const examples = new Map(
    Object.values(await documented()).flatMap((item) =>
      Object.values(item).map((one) => [one.operationId, one.requestBody?.content?.['application/json']?.example]),
    ),
  )
  const refused: string[] = []
  for (const { operationId, hide, request } of bff.operations) {
    const media = request?.body?.content['application/json'] as { schema: z.ZodType } | undefined
    if (hide || !media) continue
    const { error } = media.schema.safeParse(examples.get(operationId))
    if (error) refused.push(`${operationId} ${JSON.stringify(examples.get(operationId))}: ${error.message}`)
    if (JSON.stringify(examples.get(operationId)).includes('"text"')) refused.push(`${operationId}: a made-up value`)
  }
  expect(refused).toEqual([])
})

test('begins with what creates a payment and verifies its webhook: the example of the client, as its README has it', () => {
  const readme = readFileSync(new URL('../../../clients/node/README.md', import.meta.url), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${nodeExample}\`\`\``)
  const home = pages.get('/docs') ?? ''
  expect(home.indexOf('id="quickstart"')).toBeLessThan(home.indexOf('id="operations"'))
})

test('examples name the address of the request, and whatever it is, no markup comes of it', async () => {
  expect(pages.get('/docs')).toContain('curl -sf http://pay.example/api/v1/deposits/create')
  const { body } = await bff.app.request('/docs', { headers: { Host: '"><script>' } })
  const page = await new Response(body).text()
  expect(page).not.toContain('<script')
  expect(page).toContain('https://service.example/api/v1/deposits/create')
})

test('an operation has its address, its caller, its fields with their rules, and calls that can be copied', () => {
  const [, section = ''] = /id="createDeposit"(.*?)<\/section>/s.exec(pages.get('/docs/take-a-payment') ?? '') ?? []
  expect(section).toContain('<span class="method post">POST</span> <code>/api/v1/deposits/create</code>')
  expect(section).toContain('Called with any key. An agent&#39;s key may call it. A repeat with')
  expect(section).toContain('Symbol of a token that the network has, such as USDC or USDT.')
  expect(section).toContain(
    'curl -X POST http://pay.example/api/v1/deposits/create \\\n  -H &quot;X-Public-Key: $PUBLIC_KEY&quot;',
  )
  expect(section).toContain(
    'await checkout.POST(&#39;/deposits/create&#39;, {\n  body: {\n    amount: &#39;25.00&#39;,',
  )
  const [, own = ''] = /id="readSession"(.*?)<\/section>/s.exec(pages.get('/docs/dashboard') ?? '') ?? []
  expect(own).not.toContain('checkout.GET')
})

test('there is no other page', async () => {
  expect((await bff.app.request('/docs/swagger-ui.css')).status).toBe(404)
})

test('says for each code of an error what to do', () => {
  const home = pages.get('/docs') ?? ''
  expect(Object.keys(errorCodes).filter((code) => !home.includes(`<code>${code}</code>`))).toEqual([])
})

test('browsers keep its pages, its style and the OpenAPI document, and revalidate them at each use', async () => {
  const ask = (path: string, tag = '', host = 'pay.example') =>
    bff.app.request(path, { headers: { Host: host, 'If-None-Match': tag } })
  for (const path of ['/docs', '/docs/reference.css', '/api/openapi.json']) {
    const first = await ask(path)
    expect([path, first.status, first.headers.get('Cache-Control')]).toEqual([path, 200, 'no-cache'])
    expect(first.headers.get('X-Content-Type-Options')).toBe('nosniff')
    const tag = String(first.headers.get('ETag'))
    const again = await ask(path, tag)
    expect([path, again.status, await again.text()]).toEqual([path, 304, ''])
    expect((await ask(path, '"another"')).status).toBe(200)
  }
  const tag = String((await ask('/docs')).headers.get('ETag'))
  expect((await ask('/docs', tag, 'other.example')).status, 'examples name another address').toBe(200)
})
