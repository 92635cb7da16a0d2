import type { Caller } from '../access/caller.ts'
import { gasViewOf } from '../checkout/networks/gas-view.ts'
import { qrCode } from '../checkout/qr.ts'
import type { Networks } from '../core/families.ts'
import { type BaseUnits, formatAmount } from '../core/money.ts'
import type { Db } from '../db/db.ts'
import type { GasBalances } from '../network/gas-balances.ts'
import type { NetworkHealth } from '../network/network-health.ts'
import { listEndpoints } from '../webhook/endpoints/endpoint-store.ts'
import { hasPayments, loadNeeds, type Need } from './attention-store.ts'

/** Payments that are named for each need: the list of payments has the others. */
const newestMax = 5

type Deps = { db: Db; networks: Networks; health: NetworkHealth; gasBalances: Pick<GasBalances, 'get'> }

/** Collects open actions, from indexes and from what this process knows of the networks. */
export function createAttention({ db, networks, health, gasBalances }: Deps) {
  return async (caller: Caller, isTest: boolean) => {
    const whose = { merchantId: caller.merchantId, isTest }
    const { needs, endpoints, hasAny } = await db.read(async (tx) => ({
      needs: await loadNeeds(tx, whose, newestMax),
      endpoints: await listEndpoints(tx, caller.merchantId),
      hasAny: await hasPayments(tx, whose),
    }))
    const own = [...networks.values()].filter(({ shortName }) => caller.wallets.has(shortName))
    return {
      payments: needs.map(({ payments, ...need }) => ({ ...need, newest: payments.map(needView) })),
      endpoints: endpoints.filter((one) => one.isTest === isTest).flatMap(endpointView),
      gas: own.flatMap((network) => {
        const gas = gasViewOf(network, gasBalances)
        return gas === null || gas.state === 'ok'
          ? []
          : [{ network: network.shortName, ...gas, state: gas.state, qr: qrCode(gas.address) }]
      }),
      networks: own.flatMap(({ shortName, name }) => {
        const { isPayable, reason } = health.get(shortName)
        return isPayable ? [] : [{ network: shortName, name, reason: reason ?? '' }]
      }),
      setup: { networks: networks.size, wallets: caller.wallets.size, payments: hasAny, endpoints: endpoints.length },
    }
  }
}

const iso = (ms: number): string => new Date(ms).toISOString()

function needView({ id, orderId, network, currency, decimals, due, createdAtMs }: Need) {
  const amount = formatAmount(due as BaseUnits, decimals)
  return { id, orderId, network, currency, amount, createdAt: iso(createdAtMs) }
}

/** Excludes endpoints that work or that the merchant disabled. */
function endpointView(endpoint: Awaited<ReturnType<typeof listEndpoints>>[number]) {
  const { id, url, disabledReason, disabledAtMs, failingSinceMs } = endpoint
  if (disabledReason === 'merchant' || (disabledReason === null && failingSinceMs === null)) return []
  const disabledAt = disabledAtMs === null ? null : iso(disabledAtMs)
  const failingSince = failingSinceMs === null ? null : iso(failingSinceMs)
  return [{ id, url, disabledReason, disabledAt, failingSince }]
}
