import { z } from '@hono/zod-openapi'
import type { JSONValue } from 'hono/utils/types'
import { jsonContent } from '../../access/operation/common-schemas.ts'

/** More characters than any credential, key or signature in use; quantum-safe keys have about 2 kB. */
const partMax = 16_000

const part = z
  .string()
  .max(partMax)
  .regex(/^[\w-]*$/, 'must be base64url')

/** The credential's id is stored and looked up; authenticators create at most 1,023 bytes. */
const credentialId = part.min(1).max(1_364)

const common = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  authenticatorAttachment: z.string().max(100).nullish(),
  clientExtensionResults: z.record(z.string().max(100), z.unknown()).default({}),
}

/** `PublicKeyCredential.toJSON()` of `navigator.credentials.get`. */
export const assertionJson = z.object({
  ...common,
  response: z.object({
    clientDataJSON: part,
    authenticatorData: part,
    signature: part,
    userHandle: part.nullish(),
  }),
})

/** `PublicKeyCredential.toJSON()` of `navigator.credentials.create`. */
export const registrationJson = z.object({
  ...common,
  response: z.object({
    clientDataJSON: part,
    attestationObject: part,
    transports: z.array(z.string().max(100)).max(20).optional(),
    publicKeyAlgorithm: z.int().optional(),
    publicKey: part.optional(),
    authenticatorData: part.optional(),
  }),
})

/** Tags in the OpenAPI document. */
export const tags: ['dashboard'] = ['dashboard']

/** The browser's JSON forms of WebAuthn Level 3, as `@simplewebauthn/browser` accepts them. */
export const webauthnOptions = z.record(z.string(), z.unknown()).openapi('WebAuthnOptions')
export const optionsResponse = jsonContent(
  'for the browser',
  z.object({ success: z.literal(true), options: webauthnOptions }),
)

export const doneResponse = jsonContent('done', z.object({ success: z.literal(true) }))

/** Drops undefined fields, as on the wire. */
export const plainJson = (options: object) => JSON.parse(JSON.stringify(options)) as Record<string, JSONValue>
