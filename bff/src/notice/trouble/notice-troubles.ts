import type { Networks } from '../../core/families.ts'
import type { Log } from '../../core/log.ts'
import type { Db, Tx } from '../../db/db.ts'
import { loadWallets } from '../../merchant/account-store.ts'
import type { GasBalances } from '../../network/gas-balances.ts'
import type { NetworkHealth } from '../../network/network-health.ts'
import type { MerchantId } from '../../payment/payment.ts'
import { listEndpoints } from '../../webhook/endpoints/endpoint-store.ts'
import { channelsOf, notifiedMerchants } from '../channels/channel-store.ts'
import { insertNotice } from '../outbox/notice-store.ts'
import { type Observed, planTroubles } from './plan-troubles.ts'
import { deleteTrouble, loadTroubles, saveTrouble } from './trouble-store.ts'

type Deps = {
  db: Db
  log: Log
  networks: Networks
  health: NetworkHealth
  gasBalances: Pick<GasBalances, 'get'>
}

/** Compares current problems with the known ones, and makes the notices of the difference, in one commit for each merchant. */
export async function noticeTroubles(deps: Deps, nowMs: number): Promise<void> {
  const { db, log } = deps
  for (const merchantId of await db.read(notifiedMerchants)) {
    try {
      await noticeTroublesOf(merchantId, deps, nowMs)
    } catch (err) {
      // An unreadable row of one merchant must not end the notices of the others.
      log.error({ merchantId, err }, 'Creating notices of trouble failed for a merchant')
    }
  }
}

async function noticeTroublesOf(merchantId: MerchantId, deps: Deps, nowMs: number): Promise<void> {
  const { db, log } = deps
  const { known, observed } = await db.read(async (tx) => ({
    known: await loadTroubles(tx, merchantId),
    observed: await observe(tx, merchantId, deps),
  }))
  const { save, forget, notify } = planTroubles(merchantId, known, observed, nowMs)
  if (save.length + forget.length === 0) return
  await db.write(async (tx) => {
    for (const trouble of save) await saveTrouble(tx, trouble)
    for (const trouble of forget) await deleteTrouble(tx, trouble)
    if (notify.length === 0) return
    const channels = await channelsOf(tx, [merchantId], (channel, err) =>
      log.error({ channel, err }, 'A notice channel cannot be read'),
    )
    for (const { id: channelId, kinds } of channels) {
      if (!kinds.includes('trouble')) continue
      for (const { cause, facts } of notify) {
        const subject = `${cause} ${facts.isOver ? 'over' : 'open'} ${nowMs}`
        await insertNotice(tx, { channelId, subject, kind: 'trouble', facts, createdAtMs: nowMs })
      }
    }
  })
}

async function observe(tx: Tx, merchantId: MerchantId, { networks, health, gasBalances }: Deps): Promise<Observed[]> {
  // Includes plug-ins of shops: a shop whose plug-in is not notified ships nothing.
  const receivers = [...(await listEndpoints(tx, merchantId)), ...(await listEndpoints(tx, merchantId, 'btcpay'))]
  const endpoints = receivers.map(
    ({ id, url, disabledReason, failingSinceMs }): Observed => ({
      cause: `webhook ${id}`,
      facts: { about: 'webhook', name: URL.canParse(url) ? new URL(url).host : '', isOver: false },
      isWrong: disabledReason === null ? failingSinceMs !== null : disabledReason !== 'merchant',
    }),
  )
  const wallets = await loadWallets(tx, merchantId)
  const own = wallets.flatMap(({ network }) => networks.get(network) ?? [])
  const ofNetworks = own.flatMap(({ shortName, name }): Observed[] => {
    const gas = gasBalances.get(shortName)
    return [
      {
        cause: `gas ${shortName}`,
        facts: { about: 'gas', name, isOver: false },
        isWrong: gas === undefined ? null : gas.state !== 'ok',
      },
      {
        cause: `network ${shortName}`,
        facts: { about: 'network', name, isOver: false },
        isWrong: !health.get(shortName).isPayable,
      },
    ]
  })
  return [...endpoints, ...ofNetworks]
}
