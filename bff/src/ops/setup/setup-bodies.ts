import { z } from 'zod'
import { pageTexts } from '../../checkout/pay-page/page-language.ts'
import { registrationJson } from '../../dashboard/sign-in/webauthn-schemas.ts'
import { logoBytesMax } from '../../merchant/logo-picture.ts'
import { providerNames } from '../../rates/providers.ts'

const name = z.string().trim().min(1).max(100)
const family = z.enum(['evm', 'solana'])
const network = z.string().min(1).max(40)
const url = z.string().min(1).max(500)
const address = z.string().trim().min(1).max(100)
/** An extended public key has 111 characters. */
const accountKey = z.string().trim().min(1).max(200)

/** Bodies of the set-up page's requests. */
export const setupBodies = {
  link: z.object({ token: z.string().max(100) }),
  ownerOptions: z.object({ name }),
  owner: z.object({ name, response: registrationJson }),
  shop: z.object({
    name,
    language: z.enum(Object.keys(pageTexts) as [string, ...string[]]),
    currency: z.string().regex(/^[A-Z]{3}$/),
    color: z.string().max(60).nullable().default(null),
    /** The picture in base64; null: none; undefined: unchanged. */
    logo: z
      .base64()
      .max(Math.ceil(logoBytesMax / 3) * 4)
      .nullable()
      .optional(),
  }),
  node: z.object({ network, url }),
  networks: z.object({ networks: z.array(z.object({ network, rpcUrls: z.array(url).max(10) })).max(40) }),
  proof: z.object({ family, address }),
  wallet: z.object({
    family,
    address,
    signature: z.string().max(20_000).optional(),
    retyped: z.string().max(20).optional(),
  }),
  deposits: z.object({ network, deposits: z.enum(['forwarder', 'xpub']) }),
  accountCheck: z.object({ key: accountKey, first: address.optional() }),
  account: z.object({ key: accountKey, first: address }),
  options: z.object({
    relay: z.boolean(),
    stores: z.boolean().default(false),
    rates: z.enum(providerNames).nullable(),
  }),
  deploy: z.object({ network }),
}
