import { openRequests } from '@stablecoin-checkout/rig/access-stage'
import type { everyPart } from '@stablecoin-checkout/rig/app-defaults'
import { openApp } from '@stablecoin-checkout/rig/test-app'
import { expect, test } from 'vitest'
import { partNames } from '../../parts.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { newDeliveryCounts } from '../../webhook/outbox/dispatcher.ts'
import { runSharedWorkers } from './workers.ts'

test('with links switched off, the second customer of a paid link is no longer asked for money', async () => {
  const bff = await openApp()
  const { db, ledger, runtime, log, vault } = bff.deps
  const { ask, pay, outcomeOf } = openRequests(() => bff)
  const choice = { network: 'devnet', currency: 'USDC' }
  const { body } = await ask('POST', '/links', bff.keys.secret, { amount: '25.00' })
  const path = `/links/public/${(body['link'] as { id: string }).id}/create`
  const choose = async () => (await ask('POST', path, {}, choice)).body.payment['id'] as PaymentId
  const [first, second] = [await choose(), await choose()]
  await pay(first)

  const kernel = Object.fromEntries(partNames.map((name) => [name, null])) as unknown as typeof everyPart
  const config = { webhookTargets: 'any', webhookRetentionDays: null } as Parameters<
    typeof runSharedWorkers
  >[0]['config']
  const stopping = new AbortController()
  const running = runSharedWorkers(
    {
      config,
      ledgerOn: () => ledger,
      runtime,
      log,
      vault,
      parts: kernel,
      bridges: null,
      deliveryCounts: newDeliveryCounts(),
      viewer: bff.deps.viewer,
      health: bff.deps.health,
      gasBalances: bff.deps.gasBalances,
    },
    { db, signal: stopping.signal, isHeld: () => true },
  )
  await expect.poll(() => outcomeOf(second)).toBe('failed')
  expect(await outcomeOf(first)).toBe('paid')
  stopping.abort()
  await running
  await bff.close()
})
