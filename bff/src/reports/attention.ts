import type { Caller } from '../access/context/caller.ts'
import { sharesOf } from '../chain/shares.ts'
import { gasViewOf } from '../checkout/networks/gas-view.ts'
import { qrCode } from '../checkout/qr.ts'
import type { Networks } from '../core/families.ts'
import { type BaseUnits, formatAmount } from '../core/money.ts'
import { iso } from '../core/runtime.ts'
import type { Db } from '../db/db.ts'
import type { GasBalances } from '../network/gas-balances.ts'
import type { NetworkHealth } from '../network/network-health.ts'
import type { Attention } from '../payment/attention.ts'
import type { Payment } from '../payment/payment.ts'
import { nextRefundOf } from '../payment/refund.ts'
import { returnAddressOf } from '../payment/unmatched.ts'
import { listEndpoints } from '../webhook/endpoints/endpoint-store.ts'
import { awaitingAddress, hasPayments, loadNeeds } from './attention-store.ts'

/** Payments named for each need. The others are in the list of payments. */
const newestMax = 5

type Deps = { db: Db; networks: Networks; health: NetworkHealth; gasBalances: Pick<GasBalances, 'get'> }

/** Collects open actions, from the database's indexes and from this process's knowledge of the networks. */
export function createAttention({ db, networks, health, gasBalances }: Deps) {
  return async (caller: Caller, isTest: boolean) => {
    const whose = { merchantId: caller.merchantId, isTest }
    const { needs, awaiting, endpoints, hasAny } = await db.read(async (tx) => {
      const needs = await loadNeeds(tx, whose, newestMax)
      const toRefund = needs.find(({ attention }) => attention === 'merchant_refund')?.payments ?? []
      return {
        needs,
        awaiting: await awaitingAddress(
          tx,
          toRefund.map(({ id }) => id),
        ),
        endpoints: await listEndpoints(tx, caller.merchantId),
        hasAny: await hasPayments(tx, whose),
      }
    })
    const own = [...networks.values()].filter(({ shortName }) => caller.wallets.has(shortName))
    return {
      payments: needs.map(({ attention, count, payments }) => ({
        attention,
        count,
        newest: payments.map((payment) => needView(payment, attention, awaiting)),
      })),
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

function needView(payment: Payment, attention: Attention, awaiting: ReadonlySet<string>) {
  const { id, orderId, network, currency, tokenDecimals, due, createdAtMs } = payment
  const owed = owedOf(payment, attention)
  return {
    id,
    orderId,
    network,
    currency,
    amount: formatAmount(due, tokenDecimals),
    owed,
    awaitsAddress: awaiting.has(id),
    createdAt: iso(createdAtMs),
  }
}

type Owed = { to: 'merchant' | 'customer'; amount: string; currency: string; network: string }

/** The money that waits for the action, and who owns it. Late money is the customer's until the merchant accepts it. */
function owedOf(payment: Payment, attention: Attention): Owed[] {
  const { network, currency, tokenDecimals } = payment
  const own = (to: Owed['to'], amount: BaseUnits): Owed[] => [
    { to, amount: formatAmount(amount, tokenDecimals), currency, network },
  ]
  switch (attention) {
    case 'payout_failed':
      return own('merchant', sharesOf(payment).merchant)
    case 'refund_failed':
    case 'late_held':
    case 'refund_address':
    case 'excess_owed':
      return own('customer', nextRefundOf(payment))
    case 'return_failed':
    case 'unmatched': {
      if (payment.mode !== 'deposit') return []
      const waiting = payment.unmatched.filter(
        (one) =>
          one.balance > 0n &&
          (attention === 'unmatched' ? returnAddressOf(payment, one) === null : one.refund === 'failed'),
      )
      return waiting.map((one) => ({
        to: 'customer',
        amount: formatAmount(one.balance, one.decimals),
        currency: one.currency,
        network: one.network,
      }))
    }
    case 'merchant_refund':
      return own('customer', payment.refundDueByMerchant)
    default:
      return attention satisfies never
  }
}

/** Excludes endpoints that work or that the merchant disabled. */
function endpointView(endpoint: Awaited<ReturnType<typeof listEndpoints>>[number]) {
  const { id, url, disabledReason, disabledAtMs, failingSinceMs } = endpoint
  if (disabledReason === 'merchant' || (disabledReason === null && failingSinceMs === null)) return []
  const disabledAt = iso(disabledAtMs)
  const failingSince = iso(failingSinceMs)
  return [{ id, url, disabledReason, disabledAt, failingSince }]
}
