import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import openapiTS, { astToString } from 'openapi-typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const { bff, chain } = await openStory('openapi-client')
const source = JSON.stringify((await bff.ask('/api/openapi.json')).body)

const root = fileURLToPath(new URL('..', import.meta.url))
/** Below the repository, so that the generated client finds `openapi-fetch`. */
const folder = join(root, 'test/.results/openapi-client')

describe('the document is valid', () => {
  test('by the JSON schema of OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(source) as Record<string, unknown>)
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
  })

  test('by a linter, which also compares every example with its schema', async () => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      // The contract's paths, such as /payments/{paymentId}/status beside /payments/status/{paymentId}.
      rules: {
        'no-ambiguous-paths': 'off',
        'no-invalid-schema-examples': 'error',
        'operation-operationId-url-safe': 'error',
      },
    })
    const problems = await lintFromString({ source, config, absoluteRef: join(folder, 'openapi.json') })
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
  })
})

/** What a shop writes on top of the generated types. The marked lines are refused by the compiler. */
const shopText = `
import createClient from 'openapi-fetch'
import type { operations, paths } from './api.ts'

type Created = operations['createDeposit']['responses'][200]['content']['application/json']

export function openShop(baseUrl: string, publicKey: string) {
  const client = createClient<paths>({ baseUrl, headers: { 'X-Public-Key': publicKey } })
  return {
    async order(amount: string): Promise<Created['payment']> {
      const body = { amount, currency: 'USDC', network: 'devnet' } as const
      const { data, error } = await client.POST('/deposits/create', { body })
      if (!data) throw new Error(error.message)
      return data.payment
    },
    async isPaid(paymentId: string): Promise<boolean> {
      const { data, error } = await client.GET('/payments/{paymentId}/status', { params: { path: { paymentId } } })
      if (!data) throw new Error(\`\${error.code}: \${error.message}\`)
      return data.payment.outcome === 'paid'
    },
    async verify(paymentId: string): Promise<boolean> {
      const { data } = await client.POST('/payments/verify-qr', { body: { paymentId } })
      return data?.verified ?? false
    },
    async refusal(): Promise<string | undefined> {
      // @ts-expect-error The network is required.
      const { error } = await client.POST('/deposits/create', { body: { amount: '25.00', currency: 'USDC' } })
      return error?.code
    },
  }
}

// @ts-expect-error There is no such outcome.
export const isSent = (payment: Created['payment']) => payment.outcome === 'sent'
`

type Shop = {
  order(amount: string): Promise<{ id: string; depositAddress: string | null }>
  isPaid(paymentId: string): Promise<boolean>
  verify(paymentId: string): Promise<boolean>
  refusal(): Promise<string | undefined>
}

const compilerOptions = {
  ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
  ...{ target: 'es2023', module: 'nodenext', lib: ['es2023', 'dom'], types: [] },
  ...{ rewriteRelativeImportExtensions: true, outDir: 'out', rootDir: '.' },
}

describe('a client that is generated from the document', () => {
  beforeAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const files = {
      'api.ts': astToString(await openapiTS(source)),
      'shop.ts': shopText,
      'tsconfig.json': JSON.stringify({ compilerOptions, files: ['shop.ts'] }),
      'package.json': '{ "type": "module" }',
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('type-checks, orders, is paid on the chain, and sees that it is paid', async () => {
    const tsc = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' })
    expect([tsc.status, tsc.stdout]).toEqual([0, ''])
    const program = pathToFileURL(join(folder, 'out/shop.js')).href
    const { openShop } = (await import(program)) as { openShop: (baseUrl: string, publicKey: string) => Shop }
    const shop = openShop(`${bff.url()}/api/v1`, bff.merchant.publicKey)

    const payment = await shop.order('25.00')
    expect([await shop.isPaid(payment.id), await shop.verify(payment.id)]).toEqual([false, false])
    await chain.pay(payment.depositAddress ?? '', '25.00')
    await chain.mine(2)
    await until('the payment to be paid', () => shop.isPaid(payment.id))
    expect(await shop.verify(payment.id)).toBe(true)
    expect(await shop.refusal()).toBe('VALIDATION_FAILED')
  })
})
