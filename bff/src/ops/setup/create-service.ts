import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Runtime } from '../../core/runtime.ts'
import { insertAuditEntry } from '../../dashboard/audit/audit-store.ts'
import type { PageOrigin } from '../../dashboard/page/page-origin.ts'
import { sha256 } from '../../dashboard/sign-in/passkeys.ts'
import { insertPasskey, insertPerson } from '../../dashboard/sign-in/people-store.ts'
import { insertSession } from '../../dashboard/sign-in/session-store.ts'
import { noBranding } from '../../merchant/branding.ts'
import { saveBranding } from '../../merchant/branding-store.ts'
import { defaultSettings } from '../../merchant/merchant-settings.ts'
import { saveSettings } from '../../merchant/settings-store.ts'
import { knownNetworks } from '../../network/known/known-networks.ts'
import { FolderBusyError } from '../cli/folder-lock.ts'
import { draftName, FilesExistError, type Initialised, initialise } from '../cli/init.ts'
import { configurationName } from '../config/source.ts'
import { verifyWallet } from './prove-wallet.ts'
import { sessionSeconds } from './setup-access.ts'
import { familiesNeeded, networksWith, type SetupDraft, verifyOptions } from './setup-draft.ts'
import { SetupRefusal } from './setup-refusal.ts'

export type SetupPlace = {
  folder: string
  port: number
  trustedProxies: readonly string[]
  env: Readonly<Record<string, string | undefined>>
}

/** The browser that finishes; its owner is signed in to the dashboard. `address`: the connection's, if no proxies are trusted. */
type Browser = { page: PageOrigin; address: string; name: string }

export type CreatedService = Initialised & { sessionToken: string; configuration: string }

const tokenBytes = 32

const loopback = new Set(['127.0.0.1', '::1'])

/**
 * This process speaks no https, so an https page means that a proxy runs in front on this machine. If it were not trusted, all
 * customers would have its address, and one of them could use up everyone's limits.
 */
const proxyInFront = ({ page, address }: Browser): string[] => (page.isSecure && loopback.has(address) ? [address] : [])

/**
 * Writes the files that `init` writes, with the owner's passkey and session, or nothing.
 * @throws {SetupRefusal} when an answer is missing or the folder contains a service.
 */
export async function createService(
  draft: SetupDraft,
  place: SetupPlace,
  browser: Browser,
  runtime: Runtime,
): Promise<CreatedService> {
  const { owner, shop, networks, wallets, account, options } = draft
  const families = familiesNeeded(draft)
  if (!owner || !shop || networks.length === 0 || families.some((family) => !wallets.has(family))) {
    throw new SetupRefusal('ANSWERS_MISSING')
  }
  if (account === null && networksWith('xpub', draft).length > 0) throw new SetupRefusal('ANSWERS_MISSING')
  verifyOptions(draft, options)
  for (const [family, { address }] of wallets) if (families.includes(family)) verifyWallet(draft, family, address)
  const { folder, port, trustedProxies, env } = place
  const configuration = join(folder, configurationName)
  if (existsSync(configuration)) throw new SetupRefusal('FILES_EXIST')
  const sessionToken = Buffer.from(runtime.randomBytes(tokenBytes)).toString('base64url')
  const answers = {
    folder,
    name: shop.name,
    rpcUrls: new Map(networks.map(({ network, rpcUrls }) => [network, rpcUrls])),
    deposits: new Map(networks.map(({ network, deposits }) => [network, deposits])),
    wallets: new Map(
      networks.map(({ network, deposits }) => {
        if (deposits === 'xpub') return [network, account?.text ?? '']
        const known = knownNetworks.get(network)
        return [network, (known && wallets.get(known.family)?.address) ?? '']
      }),
    ),
    platformWallets: new Map<string, string>(),
    feeBps: 0,
    port,
    publicUrl: browser.page.origin,
    trustedProxies: trustedProxies.length > 0 ? trustedProxies : proxyInFront(browser),
    ...options,
  }
  const personId = runtime.newUuid()
  const nowMs = runtime.nowMs()
  try {
    const made = await initialise(answers, env, runtime, ({ db, merchant }) =>
      db.write(async (tx) => {
        const merchantId = merchant.merchantId as Parameters<typeof insertPerson>[1]['merchantId']
        const { color, logo } = shop
        if (color !== null || logo !== null) {
          const branding = { ...noBranding, color, logo: logo?.name ?? null }
          await saveBranding(tx, merchantId, branding, logo ?? undefined)
        }
        await saveSettings(tx, merchantId, { ...defaultSettings, currency: shop.currency })
        const { name, passkey } = owner
        await insertPerson(tx, { id: personId, merchantId, name, role: 'owner', createdAtMs: nowMs })
        await insertPasskey(tx, { ...passkey, personId, createdAtMs: nowMs })
        const entry = { action: 'person.joined' as const, subject: name, before: null, after: 'owner' }
        const who = { personId, personName: name, address: browser.address }
        await insertAuditEntry(tx, { merchantId, atMs: nowMs, ...who, ...entry })
        await insertSession(tx, {
          id: runtime.newUuid(),
          personId,
          createdAtMs: nowMs,
          endsAtMs: nowMs + sessionSeconds * 1000,
          address: browser.address,
          browser: browser.name,
          tokenSha256: sha256(sessionToken),
        })
      }),
    )
    return { ...made, sessionToken, configuration }
  } catch (error) {
    if (error instanceof FilesExistError) throw new SetupRefusal('FILES_EXIST')
    if (error instanceof FolderBusyError) throw new SetupRefusal('FOLDER_BUSY')
    throw error
  }
}

/**
 * Why the folder cannot be set up, as the end of a sentence; null when it can. Databases without their configuration may be a merchant's
 * books, and a folder that cannot be written would fail only after all questions.
 */
export function folderFault(folder: string, runtime: Runtime): string | null {
  const books = ['checkout.sqlite', 'checkout.secrets.json'].find((name) => existsSync(join(folder, name)))
  if (books !== undefined && !existsSync(join(folder, draftName))) {
    return `holds ${books} without ${configurationName}. Restore ${configurationName}, or move the other files away`
  }
  const probe = join(folder, `.checkout-${runtime.newUuid()}`)
  try {
    writeFileSync(probe, '', { flag: 'wx', mode: 0o600 })
    rmSync(probe)
    return null
  } catch {
    return 'cannot be written by this process'
  }
}
