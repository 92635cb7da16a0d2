import type { Caller } from '../access/context/caller.ts'
import type { Networks } from '../core/families.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Db } from '../db/db.ts'
import { lateWindowMs } from '../payment/payment.ts'
import type { Door } from './door.ts'
import { storeCurrency, storeDefaults } from './invoice-view.ts'
import { findMethod, methodsOf, type PaymentMethod } from './payment-methods.ts'
import { refuse } from './refusal.ts'
import { unpairStore } from './store-keys.ts'

/** The BTCPay version whose responses these are. Plug-ins refuse versions below 1.7.6. */
const btcpayVersion = '2.3.0'

const viewSettings = 'btcpay.store.canviewstoresettings'

/** BTCPay methods that plug-ins look up by name before they show their own. No store has them here. */
const absentMethods: readonly string[] = ['onchain', 'lightningnetwork']

const seconds = (ms: number): number => ms / 1000

/** BTCPay's settings, including those that this service has under other names: the late window and the tolerance. */
const storeView = ({ merchantId, merchantName, settings }: Caller) => ({
  id: merchantId,
  name: merchantName,
  website: null,
  defaultCurrency: storeCurrency(settings),
  speedPolicy: storeDefaults.speedPolicy,
  invoiceExpiration: storeDefaults.expirationMinutes * 60,
  monitoringExpiration: seconds(lateWindowMs),
  paymentTolerance: settings.tolerance.bps / 100,
  redirectAutomatically: false,
  anyoneCanCreateInvoice: false,
  requiresRefundEmail: false,
  archived: false,
})

const methodView = ({ id, token, network }: PaymentMethod) => ({
  enabled: true,
  paymentMethodId: id,
  // Plug-ins read this name.
  paymentMethod: id,
  config: { label: `${token.symbol} (${network.name})` },
})

type Deps = { db: Db; networks: Networks; runtime: Runtime }

/** The calls that read the service, the key and its store. */
export function storeCalls(door: Door, { db, networks, runtime }: Deps): void {
  const methods = (caller: Caller) => methodsOf(networks, caller.wallets)

  door.serve({ method: 'get', path: '/server/info', permission: null }, async (c) => {
    const supported = methods(c.get('caller')).map(({ id }) => id)
    return {
      version: btcpayVersion,
      onion: null,
      supportedPaymentMethods: supported,
      fullySynched: true,
      syncStatus: [],
    }
  })

  const keyView = (key: string, label: string, permissions: readonly string[], store: string) => ({
    apiKey: key,
    label,
    permissions: permissions.map((one) => `${one}:${store}`),
  })
  door.serve(
    { method: 'get', path: '/api-keys/current', permission: null },
    async (c, { label, permissions, merchantId }) => {
      const sent = (c.req.header('authorization') ?? '').split(/\s+/)[1] ?? ''
      return keyView(sent, label, permissions, merchantId)
    },
  )
  door.serve({ method: 'delete', path: '/api-keys/current', permission: null }, async (_c, key) => {
    await db.write((tx) => unpairStore(tx, key.merchantId, key.id, runtime.nowMs()))
    return {}
  })

  door.serve({ method: 'get', path: '/stores', permission: viewSettings }, async (c) => [storeView(c.get('caller'))])
  door.serve({ method: 'get', path: '/stores/:storeId', permission: viewSettings }, async (c) =>
    storeView(c.get('caller')),
  )

  door.serve({ method: 'get', path: '/stores/:storeId/payment-methods', permission: viewSettings }, async (c) =>
    methods(c.get('caller')).map(methodView),
  )
  door.serve(
    { method: 'get', path: '/stores/:storeId/payment-methods/:methodId', permission: viewSettings },
    async (c) => {
      const asked = c.req.param('methodId') ?? ''
      if (absentMethods.includes(asked.toLowerCase())) return []
      const method = findMethod(methods(c.get('caller')), asked)
      if (!method) throw refuse(404, 'paymentmethod-not-found', 'The payment method was not found')
      return methodView(method)
    },
  )
}
