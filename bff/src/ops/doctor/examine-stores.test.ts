// The webhooks of stores' plug-ins, as the doctor sees them.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openStoreStage, type StoreStage } from '@stablecoin-checkout/rig/store-stage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { disableEndpoint, noteFailure } from '../../webhook/endpoints/endpoint-store.ts'
import { signBtcpay } from '../../webhook/send/sign.ts'
import { examineWebhooks } from './examine-webhooks.ts'

let shop: StoreStage
let code: number
let heard: { signature: string | undefined; body: string }[]
let close: () => Promise<unknown>
let url: string
beforeEach(async () => {
  shop = await openStoreStage({ webhookTargets: 'any' })
  code = 200
  heard = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    heard.push({ signature: request.headers['btcpay-sig'] as string | undefined, body })
    response.writeHead(code).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close = () => new Promise((resolve) => server.close(resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
})
afterEach(async () => {
  await close()
  await shop.bff.close()
})

async function examined() {
  const { db, vault, runtime } = shop.bff.deps
  const found = await examineWebhooks({ db, vault, runtime, targets: 'any' })
  return found.map(({ code, state, values }) => [code, state, values])
}

test('a store that answers is good: it got one delivery, signed as BTCPay signs, whose invoice says that it is a test', async () => {
  const { id } = await shop.hook({ url, secret: 'shop-secret' })
  expect(await examined()).toEqual([['store.good', 'good', []]])
  const [{ signature = '', body = '' } = {}] = heard
  expect([heard.length, signature]).toEqual([1, signBtcpay('shop-secret', body)])
  const test = expect.stringMatching(/^__test__[\w-]{36}__test__$/)
  expect(JSON.parse(body)).toEqual({
    deliveryId: test,
    webhookId: id,
    originalDeliveryId: JSON.parse(body).deliveryId,
    isRedelivery: false,
    type: 'InvoiceProcessing',
    timestamp: Math.floor(shop.bff.nowMs() / 1000),
    storeId: shop.merchantId,
    invoiceId: test,
    metadata: {},
    overPaid: false,
  })
  expect(await shop.reports(), 'nothing is stored').toEqual([])
})

test('a store that refuses, or does not answer, is a finding of its own', async () => {
  await shop.hook({ url })
  code = 403
  expect(await examined()).toEqual([['store.refused', 'warning', ['403']]])
  await close()
  expect(await examined()).toEqual([['store.silent', 'bad', ['ECONNREFUSED']]])
})

test('a store that accepts a test and refuses deliveries is a finding, and one whose webhook is off gets no test', async () => {
  const { id } = await shop.hook({ url })
  const { db } = shop.bff.deps
  const atMs = Date.parse('2026-11-21T12:00:00Z')
  await db.write((tx) => noteFailure(tx, id, atMs))
  expect(await examined()).toEqual([['store.failing', 'warning', ['2026-11-21T12:00:00.000Z']]])
  await db.write((tx) => disableEndpoint(tx, id, 'failing', atMs))
  heard = []
  expect([await examined(), heard]).toEqual([[['store.disabled', 'warning', ['failing']]], []])
})
