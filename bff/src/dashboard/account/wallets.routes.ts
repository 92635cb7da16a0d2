import { z } from '@hono/zod-openapi'
import type { Caller } from '../../access/context/caller.ts'
import { defineOperation } from '../../access/context/operation.ts'
import { errorResponses, jsonBody, jsonContent } from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import { depositsOf } from '../../chain/index.ts'
import { PaymentError } from '../../core/errors.ts'
import { depositKinds, type Networks } from '../../core/families.ts'
import type { Db } from '../../db/db.ts'
import { loadWallets, type Wallet, walletMaps } from '../../merchant/account-store.ts'
import { saveWallet } from '../../merchant/merchant-store.ts'
import { type Registrations, verifyRegistration } from '../../merchant/wallet-registration.ts'
import { checkWallet } from '../../merchant/wallets.ts'
import type { Audit } from '../audit/audit.ts'
import type { Passkeys } from '../sign-in/passkeys.ts'
import { tags } from '../sign-in/webauthn-schemas.ts'

/** Whether a wallet has signed a text: by its key, or, for a smart wallet, by its contract. */
export type IsSignedBy = (
  network: string,
  signed: { address: string; message: string; signature: string },
  signal: AbortSignal,
) => Promise<boolean>

/** Timeout for verifying a signature on a node. */
const askMs = 10_000

const networkName = z.string().min(1).max(60)
/** Path parameters of a wallet's operations. */
export const walletNetwork = z.object({ network: networkName.openapi({ param: { name: 'network', in: 'path' } }) })
/** An address or, where deposits use the merchant's own addresses, the account from which they are derived. */
const address = z.string().min(1).max(300)

const walletsBody = z.array(
  z.object({
    network: z.string(),
    networkName: z.string(),
    address: z.string().nullable(),
    accountFormat: z.string().nullable().openapi({
      description:
        'What to send instead of an address where customers pay to addresses of the merchant’s own wallet; null where they do not',
    }),
    kind: z.enum(depositKinds).openapi({ description: 'Kind of the addresses that customers pay to' }),
    account: z.string().nullable().openapi({
      description: 'The account from which those addresses are derived; null for other kinds of addresses',
    }),
  }),
)
const walletsResponse = jsonContent('by network', z.object({ success: z.literal(true), wallets: walletsBody }))

const listRoute = defineOperation({
  method: 'get',
  path: '/dashboard/wallets',
  access: 'session',
  role: 'viewer',
  operationId: 'listWallets',
  tags,
  summary: 'The settlement wallet of each network; null if none is set',
  responses: { 200: walletsResponse, ...errorResponses },
})

const proofRoute = defineOperation({
  method: 'post',
  path: '/dashboard/wallets/proofs',
  access: 'session',
  role: 'owner',
  operationId: 'createWalletProof',
  tags,
  summary: 'The text that a new wallet signs to prove control of its key',
  request: { body: jsonBody(z.object({ network: networkName, address })) },
  responses: {
    200: jsonContent(
      'valid for five minutes',
      z.object({
        success: z.literal(true),
        network: z.string(),
        address: z.string(),
        nonce: z.string(),
        message: z.string(),
      }),
    ),
    ...errorResponses,
  },
})

const changeRoute = defineOperation({
  method: 'put',
  path: '/dashboard/wallets/{network}',
  access: 'session',
  role: 'owner',
  passkey: 'always',
  operationId: 'setWallet',
  tags,
  summary: 'Set the wallet of a network, for new payments',
  description:
    'By an owner with the passkey, and with the signature of the new wallet over the text of `/dashboard/wallets/proofs` (EVM: EIP-191, or ERC-1271 of a smart wallet; Solana: ed25519 over the text, in base58). A wallet for virtual addresses must be registered on its chain.',
  request: {
    params: walletNetwork,
    body: jsonBody(z.object({ address, nonce: z.string().max(200), signature: z.string().max(20_000) })),
  },
  responses: { 200: walletsResponse, ...errorResponses },
})

function notProven(address: string): PaymentError {
  const message = `The signature is not that of ${address} over the text, or the text was used or is older than five minutes. Nothing was changed.`
  return new PaymentError('WALLET_NOT_PROVEN', message)
}

type Deps = {
  db: Db
  networks: Networks
  passkeys: Passkeys
  audit: Audit
  isSignedBy: IsSignedBy
  registrations: Registrations
}

export function walletRoutes(api: Operations, { db, networks, passkeys, audit, isSignedBy, registrations }: Deps) {
  const success = true as const

  const viewOf = ({ wallets, sources }: Pick<Caller, 'wallets' | 'sources'>) =>
    [...networks.values()].map((network) => {
      const { shortName, name } = network
      const rules = depositsOf(network)
      return {
        network: shortName,
        networkName: name,
        address: wallets.get(shortName) ?? null,
        accountFormat: rules.isDirect ? rules.accountFormat : null,
        kind: rules.isDirect ? rules.kind : ('forwarder' as const),
        account: sources.get(shortName) ?? null,
      }
    })

  api.serve(listRoute, (c) => c.json({ success, wallets: viewOf(c.get('caller')) }, 200))

  api.serve(proofRoute, async (c) => {
    const asked = c.req.valid('json')
    const wallet = checkWallet(networks, asked.network, asked.address)
    const { network, address } = wallet
    const nonce = passkeys.newNonce(bindingOf(c.get('caller'), wallet))
    return c.json({ success, network, address, nonce, message: textOf(c.get('caller'), wallet, nonce) }, 200)
  })

  api.serve(changeRoute, async (c) => {
    const caller = c.get('caller')
    const { nonce, signature, address } = c.req.valid('json')
    const wallet = checkWallet(networks, c.req.valid('param').network, address)
    const message = textOf(caller, wallet, nonce)
    const isProven =
      passkeys.isNonce(nonce, bindingOf(caller, wallet)) &&
      (await isSignedBy(wallet.network, { address: wallet.address, message, signature }, AbortSignal.timeout(askMs)))
    if (!isProven) throw notProven(wallet.address)
    await verifyRegistration(registrations, wallet)
    const wallets = await db.write(async (tx) => {
      if (!(await passkeys.useNonce(tx, nonce))) throw notProven(wallet.address)
      const before = (await loadWallets(tx, caller.merchantId)).find(({ network }) => network === wallet.network)
      await saveWallet(tx, caller.merchantId, wallet)
      const change = { subject: wallet.network, before: before?.address ?? null, after: wallet.address }
      await audit(tx, caller, { action: 'wallet.changed', ...change })
      return await loadWallets(tx, caller.merchantId)
    })
    return c.json({ success, wallets: viewOf(walletMaps(wallets)) }, 200)
  })
}

const bindingOf = ({ merchantId }: Caller, { network, address, source }: Wallet): string =>
  JSON.stringify([merchantId, network, address, source])

/** The text that the wallet's owner reads and signs. */
const textOf = ({ merchantName }: Caller, { network, address, source }: Wallet, nonce: string): string =>
  [
    `${merchantName} asks for its payments on ${network} to be paid to this wallet:`,
    address,
    ...(source === null ? [] : ['and to the addresses that follow it in its account:', source]),
    '',
    'Signing moves no money.',
    `Nonce: ${nonce}`,
  ].join('\n')
