/** The permissions of BTCPay's Greenfield API that this service can grant, each for one store. */
export const storePermissions = [
  'btcpay.store.canviewinvoices',
  'btcpay.store.cancreateinvoice',
  'btcpay.store.canmodifyinvoices',
  'btcpay.store.canviewstoresettings',
  'btcpay.store.canmodifystoresettings',
  'btcpay.store.webhooks.canmodifywebhooks',
  'btcpay.store.cancreatenonapprovedpullpayments',
] as const

export type StorePermission = (typeof storePermissions)[number]

const isStorePermission = (text: string): text is StorePermission =>
  (storePermissions as readonly string[]).includes(text)

/** As in BTCPay, whoever may change a store's settings may read them and manage its webhooks. */
const implied: Readonly<Partial<Record<StorePermission, readonly StorePermission[]>>> = {
  'btcpay.store.canmodifystoresettings': [
    'btcpay.store.canviewstoresettings',
    'btcpay.store.webhooks.canmodifywebhooks',
  ],
}

/** Whether a key with the granted permissions has the permission. */
export const permits = (granted: readonly StorePermission[], needed: StorePermission): boolean =>
  granted.some((one) => one === needed || implied[one]?.includes(needed))

/** A longer list is a mistake: there are seven permissions. */
const askedMax = 20

/**
 * Reads the permissions that a plug-in asks for. A permission may name the store after a colon.
 * @returns in `refused` the texts that cannot be granted: rights over a server, a person or another store.
 */
export function readPermissions(asked: readonly string[], storeId: string) {
  const granted = new Set<StorePermission>()
  const refused: string[] = []
  for (const text of asked.slice(0, askedMax)) {
    const [name = '', store = storeId] = text.split(':')
    if (isStorePermission(name) && store === storeId && text.split(':').length < 3) granted.add(name)
    else refused.push(text.slice(0, 100))
  }
  if (asked.length > askedMax) refused.push(`${asked.length - askedMax} more`)
  return { granted: [...granted], refused }
}
