import { z } from '@hono/zod-openapi'
import type { Caller } from '../../access/context/caller.ts'
import { defineOperation } from '../../access/context/operation.ts'
import { errorResponses, jsonContent } from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import { familyOf } from '../../chain/index.ts'
import { walletChain } from '../../checkout/wire/contract-schemas.ts'
import { ValidationError } from '../../core/errors.ts'
import { findNetwork, type Network, type Networks } from '../../core/families.ts'
import type { Runtime } from '../../core/runtime.ts'
import { createSharedAnswers } from '../../core/shared-answers.ts'
import type { Wallet } from '../../merchant/account-store.ts'
import {
  type RegistrationState,
  type Registrations,
  readRegistration,
  registrationStates,
} from '../../merchant/wallet-registration.ts'
import { checkWallet, payableWallet } from '../../merchant/wallets.ts'
import { tags } from '../sign-in/webauthn-schemas.ts'
import { walletNetwork } from './wallets.routes.ts'

/**
 * How long a chain response is shared by identical requests: pages poll every 1.5 seconds while they wait for a registration, and
 * a viewer may poll as often as the session's limits allow.
 */
const keptMs = 1_000
/** Maximum cached requests. A salt takes billions of attempts to find, so nobody has many. */
const questionsMax = 100

const registrationBody = z
  .object({
    address: z.string(),
    masterId: z.string().openapi({ description: 'First 4 bytes of its virtual addresses', example: '0x58e21090' }),
    state: z.enum(registrationStates),
    chain: walletChain.nullable().openapi({ description: 'For a wallet that does not know the network' }),
  })
  .nullable()
  .openapi({ description: 'Null if no wallet is set, or it is not for virtual addresses' })

const registrationRoute = defineOperation({
  method: 'get',
  path: '/dashboard/wallets/{network}/registration',
  access: 'session',
  role: 'viewer',
  operationId: 'readWalletRegistration',
  tags,
  summary: 'Whether the chain credits a wallet for its virtual addresses',
  description:
    'Where deposits go to virtual addresses (`"deposits": "virtual"`). The wallet itself sends `registerVirtualMaster(salt)` to the registry, once and for all.',
  request: {
    params: walletNetwork,
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
    200: jsonContent('the current state', z.object({ success: z.literal(true), registration: registrationBody })),
    ...errorResponses,
  },
})

type Deps = { networks: Networks; registrations: Registrations; runtime: Runtime }

export function registrationRoutes(api: Operations, { networks, registrations, runtime }: Deps) {
  const share = createSharedAnswers<RegistrationState | undefined>({
    keptMs,
    keysMax: questionsMax,
    nowMs: runtime.nowMs,
  })

  const stateOf = (wallet: Wallet) =>
    share(JSON.stringify([wallet.network, wallet.source, wallet.address]), () =>
      readRegistration(registrations, wallet),
    )

  /** The configured wallet; undefined if there is none, or it does not fit the kind of deposits. */
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
    const state = wallet && (await stateOf(wallet))
    const success = true as const
    if (!wallet || wallet.source === null || state === undefined) return c.json({ success, registration: null }, 200)
    const { address, source: masterId } = wallet
    const added = familyOf(network).refundWallet(network)?.chain
    const chain = added ? { ...added, rpcUrls: [...added.rpcUrls] } : null
    return c.json({ success, registration: { address, masterId, state, chain } }, 200)
  })
}
