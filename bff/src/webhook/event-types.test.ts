import { readFileSync } from 'node:fs'
import { openBridgedApp } from '@stablecoin-checkout/rig/relay-stage'
import { order } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordResponse } from '../checkout/wire/payment-schemas.ts'
import { eventTypes, testEvent } from './event-types.ts'

let bff: Awaited<ReturnType<typeof openBridgedApp>>
beforeAll(async () => {
  bff = await openBridgedApp()
})
afterAll(() => bff.close())

const types = Object.entries(eventTypes)

/** Only some payments have a bridge. */
const crossChain = { amount: 25, originChainId: 8453, originCurrency: 'USDC' }
const create = async (type: string) =>
  type === 'bridge.moved' ? await bff.post('/api/v1/payments/cross-chain/create', crossChain) : await bff.create(order)

describe.each(types)('the example of %s', (type, { example }) => {
  test('is a payment as the document describes it', () => {
    const parsed = recordResponse.shape.payment.safeParse(example)
    expect(parsed.error?.issues ?? []).toEqual([])
  })

  test('has the fields that a payment really has', async () => {
    const id = String((await create(type)).body.payment['id'])
    const { body } = await bff.read(`/api/v1/payments/${id}`, bff.keys.secret)
    // A webhook goes to an address that a public key may name, so it holds neither.
    const { clientSecret: _, paymentLink: __, refunds: ___, ...payment } = body.payment
    // The refund that the event is about, in events of merchant refunds alone.
    const { merchantRefund, ...described } = example
    expect(merchantRefund !== undefined).toBe(type.startsWith('refund.'))
    expect(Object.keys(described).sort()).toEqual(Object.keys(payment).sort())
    for (const relation of ['Token', 'Network'] as const) {
      expect(Object.keys(example[relation] as object)).toEqual(Object.keys(payment[relation] as object))
    }
  })
})

test('the OpenAPI document describes each call that we make, with its example', async () => {
  type Operation = {
    requestBody: { content: Record<string, { schema: { example: { type: string; data: unknown } } }> }
  }
  const { body } = await bff.read('/api/openapi.json')
  const webhooks = (body as Record<string, unknown>)['webhooks'] as Record<string, { post: Operation }>
  const documented = Object.entries(webhooks).map(([type, { post }]) => {
    const { example } = post.requestBody.content['application/json']?.schema ?? {}
    return [type, example?.type, example?.data]
  })
  const all = [...types.map(([type, { example }]) => [type, type, example])]
  expect(documented).toEqual([...all, [testEvent.type, testEvent.type, testEvent.example]])
})

test('the list in docs/webhooks.md is this one: `npm run generate` writes it', async () => {
  const path = '../../../docs/webhooks.md'
  const page = readFileSync(new URL(path, import.meta.url), 'utf8')
  const list = [...types, [testEvent.type, testEvent] as const].map(
    ([type, { description }]) => `- \`${type}\`: ${description}`,
  )
  const section = /(<!-- events:[^>]*-->\n)[\s\S]*?(<!-- \/events -->)/
  expect(page).toMatch(section)
  const made = page.replace(section, (_, head: string, tail: string) => `${head}\n${list.join('\n')}\n\n${tail}`)
  await expect(made).toMatchFileSnapshot(path)
})
