import { z } from '@hono/zod-openapi'
import type { Caller } from '../../access/context/caller.ts'
import { defineOperation } from '../../access/context/operation.ts'
import { errorResponses, jsonContent } from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import { familyOf } from '../../chain/index.ts'
import { NetworkMismatchError } from '../../chain/network-fault.ts'
import { walletChain } from '../../checkout/wire/contract-schemas.ts'
import { PaymentError, ValidationError } from '../../core/errors.ts'
import { findNetwork, type Network, type Networks } from '../../core/families.ts'
import { faultText } from '../../core/fault-text.ts'
import type { Log } from '../../core/log.ts'
import type { Wallet } from '../../merchant/account-store.ts'
import { checkWallet, payableWallet } from '../../merchant/wallets.ts'
import { tags } from '../sign-in/webauthn-schemas.ts'

/**
 * The wallet that the chain credits for addresses of the source: null while none is registered, undefined where wallets
 * are not registered.
 * @throws {NetworkMismatchError} when the chain has no registry; the node's error.
 */
export type ReadMaster = (network: string, source: string, signal: AbortSignal) => Promise<string | null | undefined>

/** A node that does not answer within it is not waited for. */
const askMs = 10_000

/** `other`: the id is another wallet's, which happens to one wallet in four billion. */
const states = ['registered', 'missing', 'other'] as const

type RegistrationState = (typeof states)[number]

const registrationBody = z
  .object({
    address: z.string(),
    masterId: z.string().openapi({ description: 'First 4 bytes of its virtual addresses', example: '0x58e21090' }),
    state: z.enum(states),
    chain: walletChain.nullable().openapi({ description: 'For a wallet that does not know the network' }),
  })
  .nullable()
  .openapi({ description: 'Null where no wallet is named, or the named one is not for virtual addresses' })

const registrationRoute = defineOperation({
  method: 'get',
  path: '/dashboard/wallets/{network}/registration',
  access: 'session',
  role: 'viewer',
  operationId: 'readWalletRegistration',
  tags,
  summary: 'Whether the chain credits a wallet for its virtual addresses',
  description:
    'Where deposits go to virtual addresses (`"deposits": "virtual"`). The wallet itself sends `registerVirtualMaster(salt)` to the registry, once for ever.',
  request: {
    params: z.object({
      network: z
        .string()
        .min(1)
        .max(60)
        .openapi({ param: { name: 'network', in: 'path' } }),
    }),
    query: z.object({
      account: z
        .string()
        .min(1)
        .max(300)
        .optional()
        .openapi({ description: 'A wallet and its salt, `0x…:0x…`. Default: the wallet that is set' }),
    }),
  },
  responses: {
    200: jsonContent('as of now', z.object({ success: z.literal(true), registration: registrationBody })),
    ...errorResponses,
  },
})

type Deps = { networks: Networks; readMaster: ReadMaster; log: Log }

/**
 * Asks the chain; undefined where the wallet needs no registration.
 * @throws {PaymentError} when no node answers.
 */
export async function readRegistration(
  { networks, readMaster, log }: Deps,
  { network: shortName, source, address }: Wallet,
): Promise<RegistrationState | undefined> {
  const network = findNetwork(networks, shortName)
  if (!network || source === null) return undefined
  let master: string | null | undefined
  try {
    master = await readMaster(shortName, source, AbortSignal.timeout(askMs))
  } catch (error) {
    log.warn({ network: shortName, fault: faultText(error) }, 'the registration of a wallet could not be read')
    const reason = error instanceof NetworkMismatchError ? error.message : `No node of ${network.name} answers.`
    throw new PaymentError('NETWORK_UNAVAILABLE', `Whether the wallet is registered is not known: ${reason}`)
  }
  if (master === undefined) return undefined
  if (master === null) return 'missing'
  return familyOf(network).isSameAddress(master, address) ? 'registered' : 'other'
}

export function registrationRoutes(api: Operations, deps: Deps) {
  const { networks } = deps

  /** The wallet that is set; undefined where none is, or where it does not fit the kind of deposits. */
  function currentWallet({ wallets, sources }: Caller, network: Network): Wallet | undefined {
    const address = payableWallet({ wallets, sources }, network)
    const { shortName } = network
    return address === undefined ? undefined : { network: shortName, address, source: sources.get(shortName) ?? null }
  }

  api.serve(registrationRoute, async (c) => {
    const { network: shortName } = c.req.valid('param')
    const { account } = c.req.valid('query')
    const network = findNetwork(networks, shortName)
    if (!network) throw new ValidationError(`network: there is no network "${shortName}"`)
    const wallet =
      account === undefined
        ? currentWallet(c.get('caller'), network)
        : checkWallet(networks, network.shortName, account)
    const state = wallet && (await readRegistration(deps, wallet))
    const success = true as const
    if (!wallet || wallet.source === null || state === undefined) return c.json({ success, registration: null }, 200)
    const { address, source: masterId } = wallet
    const added = familyOf(network).refundWallet(network)?.chain
    const chain = added ? { ...added, rpcUrls: [...added.rpcUrls] } : null
    return c.json({ success, registration: { address, masterId, state, chain } }, 200)
  })
}
