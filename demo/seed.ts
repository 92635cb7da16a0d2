import { loadConfig } from '@stablecoin-checkout/bff'
import { createPaymentViewer } from '@stablecoin-checkout/bff/testing/checkout'
import { silentLog, systemRuntime } from '@stablecoin-checkout/bff/testing/core'
import { openDatabase, openVault } from '@stablecoin-checkout/bff/testing/db'
import { createGasBalances, createHeads } from '@stablecoin-checkout/bff/testing/network'
import { createLedger } from '@stablecoin-checkout/bff/testing/payment'
import { createApiErrors, createApp, createRates } from '@stablecoin-checkout/bff/testing/service'
import {
  everyNetworkPayable,
  everyPart,
  noElementFiles,
  noRateLimits,
  noSystem,
} from '@stablecoin-checkout/rig/app-defaults'
import type { Merchant } from './checkout-service.ts'
import { agentId, days, monthLinks, monthOfPayments } from './month.ts'
import { demoLink } from './payment-link.ts'

const minuteMs = 60_000
/** Longer than a payment is open. */
const windowMs = 20 * minuteMs
const dayMs = 24 * 60 * minuteMs

/** The newest payments, whose webhooks are delivered once the service runs. */
const notifiedPayments = 5

type Month = {
  /** The service's environment. */
  env: Readonly<Record<string, string>>
  merchant: Merchant
  /** The address of the service's key, which is part of a deposit's terms. */
  operator: string
  /** Receives the webhooks of the newest test payments. */
  testReceiver: string
  /** The URL that a customer of the demo's payment link returns to. */
  returnUrl: string
}

/**
 * Creates a month of test payments, links, an agent's policy and a webhook endpoint for the dashboard before the service starts, by the
 * service's own routes with a clock that starts a month ago. All of it is marked as test data; no money is involved.
 * @returns the URL of the payment link that the demo prints, which is paid with the local chains' tokens.
 */
export async function seedMonth({ env, merchant, operator, testReceiver, returnUrl }: Month): Promise<string> {
  const config = loadConfig({ ...process.env, ...env })
  const { networks, database } = config
  const endMs = Date.now()
  let nowMs = endMs - (days + 1) * dayMs
  const runtime = { ...systemRuntime, nowMs: () => nowMs }
  const db = await openDatabase(database)
  try {
    const vault = await openVault({ db, database, key: config.secretsKey, runtime })
    const heads = createHeads()
    const viewer = createPaymentViewer(networks, heads, config)
    const { signal: stopping } = new AbortController()
    const app = createApp({
      ...config,
      parts: everyPart,
      db,
      networks,
      heads,
      viewer,
      runtime,
      vault,
      log: silentLog,
      bridges: null,
      ledger: createLedger(db, viewer.merchant),
      health: everyNetworkPayable,
      gasBalances: createGasBalances(),
      operator,
      solanaOwner: null,
      limits: noRateLimits,
      readRates: createRates(config.rates, { runtime, log: silentLog }),
      contracts: {
        splitters: everyNetworkPayable,
        chains: new Map(),
        windowMs: dayMs,
        waitMs: 0,
        waitsMax: 1,
        stopping,
      },
      isReady: () => ({ isReady: true, reasons: [], codes: [] }),
      observe: () => undefined,
      apiErrors: createApiErrors({ db, nowMs: runtime.nowMs, log: silentLog }),
      elementFiles: noElementFiles,
      dashboardFiles: new Map(),
      isSignedBy: async () => false,
      readHoldings: async () => undefined,
      readMaster: async () => undefined,
      system: noSystem,
    })
    const byTestKey = { 'x-public-key': merchant.testPublicKey }
    const bySecret = { 'x-api-key': merchant.apiKey, 'x-api-secret': merchant.apiSecret }
    const send = async (
      method: 'POST' | 'PUT',
      path: string,
      body: object,
      keys: Record<string, string> = byTestKey,
    ) => {
      const headers = { 'content-type': 'application/json', ...keys }
      const answer = await app.request(`/api/v1${path}`, { method, headers, body: JSON.stringify(body) })
      if (!answer.ok) throw new Error(`Creating the month of test data failed: ${path}: ${await answer.text()}`)
      return (await answer.json()) as { payment: { id: string }; link: { url: string } }
    }
    await send('PUT', `/merchants/agent-policies/${agentId}`, {
      maxPerTransaction: '150.00',
      dailyBudget: '200.00',
      monthlyBudget: '900.00',
      autonomousAllowed: true,
    })
    for (const link of monthLinks) await send('POST', '/links', { ...link, isTest: true }, bySecret)
    const payments = monthOfPayments(endMs)
    for (const [index, { minutesAgo, amount, currency, course, agentId: agent, ...terms }] of payments.entries()) {
      nowMs = endMs - minutesAgo * minuteMs
      if (index === payments.length - notifiedPayments)
        await send('POST', '/webhooks/endpoints', { url: testReceiver, isTest: true }, bySecret)
      const { payment } = await send('POST', '/deposits/create', {
        ...terms,
        ...(currency === 'EURC' ? { price: amount, priceCurrency: 'EUR' } : { amount }),
        currency,
        ...(agent && { agentId: agent, agentOwner: 'cafe-aurora' }),
      })
      const simulateAfter = async (ms: number, action: string) => {
        nowMs += ms
        await send('POST', `/sandbox/payments/${payment.id}/simulate`, { action })
      }
      await simulateAfter(course === 'expire' || course === 'late' ? windowMs : minuteMs, course)
      if (course === 'underpay') await simulateAfter(windowMs, 'expire')
    }
    nowMs = endMs
    return (await send('POST', '/links', { ...demoLink, returnUrl }, bySecret)).link.url
  } finally {
    await db.close()
  }
}
