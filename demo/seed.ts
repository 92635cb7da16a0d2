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

const dayMs = 86_400_000
const days = 30
const perDay = 2

/** A payment's outcome; most are paid. */
const courses = [
  'complete',
  'complete',
  'complete',
  'underpay',
  'complete',
  'expire',
  'overpay',
  'complete',
  'fail',
] as const

/**
 * Creates a month of test payments for the dashboard before the service starts, by the service's own routes with a
 * clock that starts a month ago. They are marked as test payments everywhere; no money is involved.
 * @param env - The service's environment.
 * @param operator - The address of the service's key, which is part of a deposit's terms.
 */
export async function seedMonth(
  env: Readonly<Record<string, string>>,
  merchant: Merchant,
  operator: string,
): Promise<void> {
  const config = loadConfig({ ...process.env, ...env })
  const { networks, database } = config
  let nowMs = Date.now() - days * dayMs
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
      ...{ db, networks, heads, viewer, runtime, vault, log: silentLog, bridges: null },
      ledger: createLedger(db, viewer.merchant),
      health: everyNetworkPayable,
      gasBalances: createGasBalances(),
      operator,
      solanaOwner: null,
      limits: noRateLimits,
      readRates: createRates({ kind: 'parity' }, { runtime, log: silentLog }),
      contracts: {
        splitters: everyNetworkPayable,
        chains: new Map(),
        windowMs: dayMs,
        waitMs: 0,
        waitsMax: 1,
        stopping,
      },
      isReady: () => ({ isReady: true, reasons: [] }),
      observe: () => undefined,
      apiErrors: createApiErrors({ db, nowMs: runtime.nowMs, log: silentLog }),
      elementFiles: noElementFiles,
      dashboardFiles: new Map(),
      isSignedBy: async () => false,
      system: noSystem,
    })
    const post = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json', 'x-public-key': merchant.testPublicKey }
      const answer = await app.request(`/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      if (!answer.ok) throw new Error(`Creating the month of test payments failed: ${await answer.text()}`)
      return (await answer.json()) as { payment: { id: string } }
    }
    const evm = [...networks.values()].filter(({ family }) => family === 'evm')
    for (let index = 0; index < days * perDay; index++) {
      nowMs += dayMs / perDay
      const { payment } = await post('/sandbox/payments/create', {
        amount: `${5 + ((index * 37) % 190)}.${String((index * 13) % 100).padStart(2, '0')}`,
        currency: index % 3 === 0 ? 'USDT' : 'USDC',
        network: evm[index % evm.length]?.shortName,
        orderId: `demo-${index + 1}`,
        customerEmail: `customer-${(index % 17) + 1}@example.com`,
      })
      const action = courses[(index * 5) % courses.length]
      await post(`/sandbox/payments/${payment.id}/simulate`, { action })
    }
  } finally {
    await db.close()
  }
}
