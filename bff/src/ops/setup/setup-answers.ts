import type { OpenAPIHono } from '@hono/zod-openapi'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Env } from '../../access/context/env.ts'
import { isCurrency } from '../../core/currency-codes.ts'
import type { PageOrigin } from '../../dashboard/page/page-origin.ts'
import { createRegistrations } from '../../dashboard/sign-in/registrations.ts'
import { plainJson } from '../../dashboard/sign-in/webauthn-schemas.ts'
import { parseColor } from '../../merchant/branding.ts'
import { type Logo, readLogo } from '../../merchant/logo-picture.ts'
import { forgetUnfit, proofText, verifyRetyped, verifySignature, verifyUnsigned, verifyWallet } from './prove-wallet.ts'
import { setupBodies } from './setup-bodies.ts'
import { bodyOf, isLocal, openPageOf, type SetupContext } from './setup-context.ts'
import { setupDeposits } from './setup-deposits.ts'
import { checkOf, keepCheck, verifyChoice, verifyOptions, type WalletProof } from './setup-draft.ts'
import { SetupRefusal } from './setup-refusal.ts'

const challengeKeyBytes = 32
const nonceBytes = 16
/** Node checks per minute: enough for all networks and some mistakes. */
const checksPerMinute = 60
const minuteMs = 60_000

/** The answers: each is checked when it is given, and a refusal names its field. */
export function setupAnswers(app: OpenAPIHono<Env>, setup: SetupContext): void {
  ownerAndShop(app, setup)
  networksAndNodes(app, setup)
  setupDeposits(app, setup)
  walletsAndOptions(app, setup)
}

function ownerAndShop(app: OpenAPIHono<Env>, setup: SetupContext): void {
  const { draft, runtime } = setup
  const registrations = createRegistrations(runtime.randomBytes(challengeKeyBytes), runtime)

  app.post('/setup/api/owner/options', async (c) => {
    const page = openPageOf(c, setup)
    const { name } = await bodyOf(c, setupBodies.ownerOptions)
    const person = { name, merchantName: 'stablecoin-checkout', passkeys: [] }
    const options = await registrations.registrationOptions(page, 'setup', name, person)
    return c.json({ success: true, options: plainJson(options) })
  })

  app.put('/setup/api/owner', async (c) => {
    const page = openPageOf(c, setup)
    const { name, response } = await bodyOf(c, setupBodies.owner)
    const made = await registrations
      .verifyRegistration(page, 'setup', name, response as RegistrationResponseJSON)
      .catch(() => {
        throw new SetupRefusal('PASSKEY_REFUSED')
      })
    const { id, publicKey, counter } = made
    draft.owner = { name, passkey: { id, publicKey, counter } }
    return c.json({ success: true })
  })

  app.put('/setup/api/shop', async (c) => {
    openPageOf(c, setup)
    const { logo, color, ...shop } = await bodyOf(c, setupBodies.shop)
    if (!isCurrency(shop.currency)) throw new SetupRefusal('CURRENCY_UNKNOWN', 'currency')
    const picture = logo === undefined ? (draft.shop?.logo ?? null) : logo === null ? null : logoOf(logo)
    draft.shop = { ...shop, color: color === null ? null : colorOf(color), logo: picture }
    return c.json({ success: true })
  })
}

/** Verified as in the dashboard. @throws {SetupRefusal} */
function logoOf(base64: string): Logo {
  try {
    return readLogo(Buffer.from(base64, 'base64'))
  } catch {
    throw new SetupRefusal('LOGO_BAD', 'logo')
  }
}

/** @throws {SetupRefusal} */
function colorOf(text: string): string {
  try {
    return parseColor(text)
  } catch {
    throw new SetupRefusal('COLOR_BAD', 'color')
  }
}

function networksAndNodes(app: OpenAPIHono<Env>, setup: SetupContext): void {
  const { draft, runtime, nodes } = setup
  let checksInMinute = { count: 0, sinceMs: 0 }

  async function checkNode(page: PageOrigin, network: string, url: string) {
    const nowMs = runtime.nowMs()
    if (nowMs - checksInMinute.sinceMs >= minuteMs) checksInMinute = { count: 0, sinceMs: nowMs }
    if (++checksInMinute.count > checksPerMinute) throw new SetupRefusal('TOO_MANY_CHECKS', 'url')
    const check = await nodes.check(network, url, isLocal(page))
    keepCheck(draft, network, check)
    return check
  }

  app.post('/setup/api/nodes', async (c) => {
    const page = openPageOf(c, setup)
    const { network, url } = await bodyOf(c, setupBodies.node)
    return c.json({ success: true, check: await checkNode(page, network, url) })
  })

  app.put('/setup/api/networks', async (c) => {
    const page = openPageOf(c, setup)
    const { networks: given } = await bodyOf(c, setupBodies.networks)
    const networks = given.map(({ network, rpcUrls }) => ({ network, rpcUrls: rpcUrls.map((url) => url.trim()) }))
    verifyChoice(networks)
    for (const { network, rpcUrls } of networks) {
      for (const url of rpcUrls) {
        const { isUsable } = checkOf(draft, network, url) ?? (await checkNode(page, network, url))
        if (!isUsable) throw new SetupRefusal('NODE_BAD', network)
      }
    }
    // Another tab may have created the service while the nodes were checked.
    openPageOf(c, setup)
    const before = new Map(draft.networks.map(({ network, deposits }) => [network, deposits]))
    draft.networks = networks.map((one) => ({ ...one, deposits: before.get(one.network) ?? 'forwarder' }))
    setup.unverified += 1
    try {
      await forgetUnfit(draft, { runtime, fetchFn: nodes.fetchAt(isLocal(page)) })
    } finally {
      setup.unverified -= 1
    }
    return c.json({ success: true })
  })
}

function walletsAndOptions(app: OpenAPIHono<Env>, setup: SetupContext): void {
  const { draft, runtime, nodes } = setup
  let proof: { address: string; message: string } | null = null

  app.post('/setup/api/wallets/proof', async (c) => {
    openPageOf(c, setup)
    const { family, address: text } = await bodyOf(c, setupBodies.proof)
    const address = verifyWallet(draft, family, text)
    const nonce = Buffer.from(runtime.randomBytes(nonceBytes)).toString('base64url')
    const message = proofText(draft.shop?.name ?? '', address, nonce)
    proof = { address, message }
    return c.json({ success: true, address, message })
  })

  app.put('/setup/api/wallets', async (c) => {
    const page = openPageOf(c, setup)
    const { family, address: text, signature, retyped } = await bodyOf(c, setupBodies.wallet)
    const address = verifyWallet(draft, family, text)
    const deps = { runtime, fetchFn: nodes.fetchAt(isLocal(page)) }
    const { networks } = draft
    let signed: WalletProof | null = null
    if (signature === undefined) {
      verifyRetyped(address, retyped ?? '')
      await verifyUnsigned(draft, family, address, deps)
    } else {
      const asked = proof
      proof = null
      if (asked?.address !== address) throw new SetupRefusal('WALLET_NOT_SIGNED', 'signature')
      signed = { ...asked, signature }
      await verifySignature(draft, family, signed, deps)
    }
    openPageOf(c, setup)
    if (draft.networks !== networks) throw new SetupRefusal('BUSY')
    draft.wallets.set(family, { address, signed })
    return c.json({ success: true, address })
  })

  app.put('/setup/api/options', async (c) => {
    openPageOf(c, setup)
    const options = await bodyOf(c, setupBodies.options)
    verifyOptions(draft, options)
    draft.options = options
    return c.json({ success: true })
  })
}
