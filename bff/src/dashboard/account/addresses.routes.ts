import { z } from '@hono/zod-openapi'
import { defineOperation } from '../../access/context/operation.ts'
import { amountText, errorResponses, jsonContent, time } from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import { heldMax } from '../../chain/connector.ts'
import { isXpubSource, parseXpubTerms, walletGap, xpubNumberMax } from '../../chain/xpub-account.ts'
import { usesOwnAddresses } from '../../checkout/merchant-refund/merchant-refund-view.ts'
import { ValidationError } from '../../core/errors.ts'
import { findNetwork, type Network, type Networks } from '../../core/families.ts'
import type { Log } from '../../core/log.ts'
import { type BaseUnits, formatAmount } from '../../core/money.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import { type GivenAddress, longestUnpaidRun, newestAddresses } from '../../merchant/given-address-store.ts'
import { addressView } from '../../merchant/given-address-view.ts'
import { type MerchantId, outcomeOf, outcomes } from '../../payment/payment.ts'
import { loadPayment, paymentIdAt } from '../../payment/store/payment-store.ts'
import { tags } from '../sign-in/webauthn-schemas.ts'
import { walletNetwork } from './wallets.routes.ts'

/**
 * Balances of the addresses, for each token of the network in order; undefined if no address is the merchant's.
 * @throws the node's error.
 */
export type ReadHoldings = (
  network: string,
  addresses: readonly string[],
  signal: AbortSignal,
) => Promise<bigint[][] | undefined>

/** Maximum addresses per page without balances. */
const pageMax = 500

/** Timeout for reading balances; after it, the list is returned without them. */
const askMs = 10_000

/** For examples: from the first test vector of BIP-32. */
const anAccount =
  'xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu4trkrX7x7DogT5Uv6fcLW5'

const balance = z.object({ currency: z.string(), amount: amountText })

const addressSchema = z.object({
  path: z.string().openapi({ description: 'Below the account, as wallets write it', example: '0/7' }),
  address: z.string().openapi({ example: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94' }),
  received: amountText.openapi({ description: 'Received for the payment, in time and late' }),
  currency: z.string(),
  outcome: z.enum(outcomes),
  paymentId: z.string(),
  account: z.string().openapi({ description: 'Extended public key', example: anAccount }),
  balances: z.array(balance).nullable().openapi({ description: 'Current balance of each token; null if not read' }),
})

export const addressesResponse = z.object({
  success: z.literal(true),
  account: z.string().nullable().openapi({ description: 'Null where the network has no such account' }),
  addresses: z.array(addressSchema),
  next: z.number().int().nullable(),
  readAt: time.nullable().openapi({ description: 'When the balances were read; null if no node responded' }),
  gap: z
    .object({
      unpaid: z.number().int().openapi({ description: 'Longest run of addresses without money' }),
      searched: z.number().int().openapi({ description: 'How many a wallet searches by default' }),
    })
    .nullable()
    .openapi({ description: "Null if a wallet's default search finds every payment" }),
})

const listRoute = defineOperation({
  method: 'get',
  path: '/dashboard/wallets/{network}/addresses',
  access: 'session',
  role: 'viewer',
  operationId: 'listWalletAddresses',
  tags,
  summary: "Addresses of the merchant's own wallet that payments on a network use, newest first",
  description:
    'Where deposits go to the merchant’s own addresses (`"deposits": "xpub"`). Of the account that is named for the network now; earlier ones are listed by the command `wallets addresses`, and one address of them is found by `address`. A page may be short, and even empty, where the account is shared with other networks: go on while `next` is not null.',
  request: {
    params: walletNetwork,
    query: z.object({
      before: z.coerce.number().int().min(1).max(xpubNumberMax).optional().openapi({ description: '`next` of a page' }),
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(pageMax)
        .default(heldMax)
        .openapi({ description: `With balances at most ${heldMax}` }),
      balances: z
        .enum(['true', 'false'])
        .default('true')
        .openapi({ description: 'Whether balances are read from the chain' }),
      address: z.string().min(1).max(100).optional().openapi({
        description:
          'This address alone, also of an earlier account: its transfers pay refunds all the same. Without balances.',
      }),
    }),
  },
  responses: {
    200: jsonContent('a page of addresses', addressesResponse),
    ...errorResponses,
  },
})

type Deps = { db: Db; networks: Networks; readHoldings: ReadHoldings; runtime: Runtime; log: Log }

export function addressRoutes(api: Operations, { db, networks, readHoldings, runtime, log }: Deps) {
  const success = true as const

  /** Undefined if no node responds: the list is useful without balances too. */
  async function holdingsOf({ shortName }: Network, addresses: readonly string[]) {
    try {
      return await readHoldings(shortName, addresses, AbortSignal.timeout(askMs))
    } catch (error) {
      log.warn({ network: shortName, err: error }, 'Reading balances of addresses failed')
      return undefined
    }
  }

  /** The payment's address on the network, whichever account it belongs to. */
  async function givenAt(merchantId: MerchantId, { shortName }: Network, address: string): Promise<GivenAddress[]> {
    const payment = await db.read(async (tx) => {
      const id = await paymentIdAt(tx, address)
      return id && (await loadPayment(tx, id))
    })
    if (payment?.mode !== 'deposit' || !payment.isDirect || payment.isTest) return []
    if (payment.merchantId !== merchantId || payment.network !== shortName) return []
    const { id, depositAddress, depositTerms, currency, tokenDecimals, received, late } = payment
    const given = { address: depositAddress, paymentId: id, currency, tokenDecimals, received: received + late }
    return [{ ...parseXpubTerms(depositTerms), ...given, outcome: outcomeOf(payment) }]
  }

  api.serve(listRoute, async (c) => {
    const { network: shortName } = c.req.valid('param')
    const { before = null, limit, balances, address } = c.req.valid('query')
    if (balances === 'true' && limit > heldMax) {
      throw new ValidationError(`limit must be at most ${heldMax} where balances are read`)
    }
    const network = findNetwork(networks, shortName)
    if (!network) throw new ValidationError(`network: there is no network "${shortName}"`)
    const { merchantId, sources } = c.get('caller')
    const source = sources.get(network.shortName)
    if (address !== undefined && usesOwnAddresses(network)) {
      const found = await givenAt(merchantId, network, address)
      const addresses = found.map((given) => ({ ...addressView(given), balances: null }))
      return c.json({ success, account: source ?? null, addresses, next: null, readAt: null, gap: null }, 200)
    }
    if (source === undefined || !isXpubSource(source)) {
      return c.json({ success, account: null, addresses: [], next: null, readAt: null, gap: null }, 200)
    }
    const { addresses, next, unpaid } = await db.read(async (tx) => ({
      ...(await newestAddresses(tx, { merchantId, network: network.shortName, source }, before, limit)),
      unpaid: await longestUnpaidRun(tx, source),
    }))
    const asked = addresses.map(({ address }) => address)
    const held = balances === 'true' && asked.length > 0 ? await holdingsOf(network, asked) : undefined
    const balancesAt = (index: number) =>
      held &&
      network.tokens.flatMap(({ symbol, decimals }, token) => {
        const amount = held[token]?.[index]
        return amount === undefined ? [] : { currency: symbol, amount: formatAmount(amount as BaseUnits, decimals) }
      })
    return c.json(
      {
        success,
        account: source,
        addresses: addresses.map((given, index) => ({ ...addressView(given), balances: balancesAt(index) ?? null })),
        next,
        readAt: held ? new Date(runtime.nowMs()).toISOString() : null,
        gap: unpaid > walletGap ? { unpaid, searched: walletGap } : null,
      },
      200,
    )
  })
}
