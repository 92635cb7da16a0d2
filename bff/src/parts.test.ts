import { everyPart } from '@stablecoin-checkout/rig/app-defaults'
import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { afterEach, describe, expect, test } from 'vitest'
import { modules } from '../imports.mjs'
import { nameOf, type Operation } from './access/context/operation.ts'
import { declarationOf, type PartName, partNames, switchNames } from './parts.ts'

let fixture: AppFixture | undefined
afterEach(async () => {
  await fixture?.close()
  fixture = undefined
})

/** The part, and those that need it. */
const without = (off: PartName) =>
  Object.fromEntries(
    partNames.map((name) => [
      name,
      name === off || declarationOf(name).needs.some((needed) => needed === off) ? null : everyPart[name],
    ]),
  ) as typeof everyPart
const kernel = Object.fromEntries(partNames.map((name) => [name, null])) as unknown as typeof everyPart

const open = async (loaded = everyPart): Promise<AppFixture> => {
  await fixture?.close()
  fixture = await openApp({ parts: loaded })
  return fixture
}

const namesOf = (operations: readonly Operation[]) => new Set(operations.map(nameOf))

/** An address that differs in a word which is no parameter, and is no operation's. */
const unknown = (path: string) => path.replace(/[^/{}]+(?=(\/\{\w+\})*$)/, 'no-such-word')

describe.each(['solana', 'x402', 'tools', 'links', 'reports', 'dashboard', 'notices', 'mail'] as const)(
  '%s switched off',
  (off) => {
    test('answers at each of its addresses what any unknown one answers, and is not in the OpenAPI document', async () => {
      const { operations } = await open()
      const { operations: left, call, keys } = await open(without(off))
      const gone = operations.filter((operation) => !namesOf(left).has(nameOf(operation)))
      expect(gone).not.toEqual([])
      for (const { method, path } of gone) {
        const ask = async (asked: string) => {
          const url = `/api/v1${asked}`.replaceAll(/\{\w+\}/g, crypto.randomUUID())
          const { status, body } = await call(url, { method: method.toUpperCase(), headers: keys.secret })
          return { status, code: body['code'] }
        }
        expect({ path, ...(await ask(path)) }).toEqual({ path, ...(await ask(unknown(path))) })
      }
      const { paths } = (await call('/api/openapi.json')).body as unknown as { paths: Record<string, object> }
      const documented = Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method} ${path}`),
      )
      expect(documented.filter((name) => namesOf(gone).has(name))).toEqual([])
    })
  },
)

test('at the root nothing of a part that is off answers either', async () => {
  const { call, keys } = await open(kernel)
  const id = crypto.randomUUID()
  for (const path of ['/mcp', `/x402/${id}`, '/dashboard', '/dashboard/keys', '/dashboard/index.html']) {
    expect((await call(path, { headers: keys.secret })).status, path).toBe(404)
  }
  expect((await call('/mcp', { method: 'POST', headers: keys.secret, body: '{}' })).status).toBe(404)
})

/** What `spec/service-interface.md` names. */
const contract = [
  'post /payments/create',
  'post /deposits/create',
  'post /payments/cross-chain/create',
  'post /sandbox/payments/create',
  'post /payments/process',
  'get /payments/{paymentId}/status',
  'get /payments/status/{paymentId}',
  'get /payments/{paymentId}',
  'post /payments/fail',
  'post /payments/verify-qr',
  'get /payments/merchant/stats',
  'get /payments/merchant/list',
  'get /deposits/status/{paymentId}',
  'get /networks',
  'get /networks/stablecoins',
  'get /networks/payable',
  'get /networks/payable/stablecoins',
  'get /networks/{networkId}/tokens',
  'get /merchants/agent-policies/{agentId}',
  'delete /merchants/agent-policies/{agentId}',
  'get /health',
  'get /versions',
  'get /payments/public/{paymentId}',
  'get /payments/contract/{chainId}',
  'get /payments/health',
  'get /deposits/balance/{paymentId}',
  'get /deposits/chains',
  'post /deposits/refund-request/{paymentId}',
  'get /payments/cross-chain/sources',
  'get /payments/cross-chain/status/{paymentId}',
  'get /currency/rates',
]

test('with every part off, every operation of the contract is there', async () => {
  const { operations } = await open(kernel)
  const served = [...namesOf(operations)].map((name) => name.replaceAll(/\{\w+\}/g, '{}'))
  expect(contract.filter((name) => !served.includes(name.replaceAll(/\{\w+\}/g, '{}')))).toEqual([])
})

test('with every part off, software that asks for a payment by its link is shown the page', async () => {
  const { create, clientSecretOf, fetch } = await open(kernel)
  const { body } = await create()
  const answer = await fetch(`/pay/${String(body.payment['id'])}#client_secret=${clientSecretOf(body.payment['id'])}`, {
    headers: { accept: 'application/json' },
  })
  // The element is not built here: the page says so, where x402 would ask for money.
  expect(await answer.json()).toMatchObject({ code: 'ELEMENT_NOT_BUILT' })
})

test('bff/modules.json names the files of every part, and the same needs, settings and metrics', () => {
  // Loaded by a command, or by a start without a configuration; nothing switches them.
  const { commands: _, setup: __, ...named } = modules.parts
  const listed = Object.entries(named).map(([name, { needs = [], settings = [], metrics = [] }]) => [
    name,
    { needs, settings, metrics },
  ])
  const declared = partNames.map((name) => {
    const { needs, settings = {}, environment = {}, unfinished } = declarationOf(name)
    const switches = switchNames.filter((one) => one === name).map((one) => `parts.${one}`)
    const { metric } = unfinished ?? {}
    return [
      name,
      {
        needs,
        settings: [...switches, ...Object.keys(settings), ...Object.keys(environment)],
        metrics: metric ? [`checkout_${metric.name}`] : [],
      },
    ]
  })
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(declared))
})
