import { z } from '@hono/zod-openapi'
import { errorBody } from '../../access/operation/common-schemas.ts'
import type { SignedAuthorization } from '../../payment/authorization.ts'

/** Maximum signature length in bytes. Smart accounts sign with several owners, or with a passkey and the browser's signed data. */
const signatureBytesMax = 4_096

const address = (name: string) =>
  z.string(`${name} is required`).regex(/^0x[0-9a-fA-F]{40}$/, `${name} must be an address: 0x and 40 hex digits`)
const number = (name: string) =>
  z.string(`${name} is required`).regex(/^\d{1,78}$/, `${name} must be a number as decimal text`)
const word = (name: string) => z.string().regex(/^0x[0-9a-fA-F]{64}$/, `${name} must be 0x and 64 hex digits`)

const signatureText = z
  .string()
  .max(2 + 2 * signatureBytesMax, `signature must have at most ${signatureBytesMax} bytes`)
  .regex(/^0x(?:[0-9a-fA-F]{2})+$/, 'signature must be 0x and hex digits')

/** An ERC-3009 authorization in x402's form. */
const authorizationFields = z
  .object({
    from: address('authorization.from'),
    to: address('authorization.to'),
    value: number('authorization.value').openapi({ description: 'Base units of the token; exactly the open amount.' }),
    validAfter: number('authorization.validAfter'),
    validBefore: number('authorization.validBefore'),
    nonce: word('authorization.nonce'),
  })
  .openapi('Authorization')

/** Permit2's signed `PermitWitnessTransferFrom` and its payer, in x402's form. */
const permit2Fields = z
  .object({
    from: address('permit2Authorization.from'),
    permitted: z.object({
      token: address('permit2Authorization.permitted.token'),
      amount: number('permit2Authorization.permitted.amount').openapi({
        description: 'Base units of the token; exactly the open amount.',
      }),
    }),
    spender: address('permit2Authorization.spender'),
    nonce: number('permit2Authorization.nonce'),
    deadline: number('permit2Authorization.deadline'),
    witness: z.union(
      [
        z.strictObject({ depositAddress: address('permit2Authorization.witness.depositAddress') }),
        z.strictObject({ termsHash: word('permit2Authorization.witness.termsHash') }),
      ],
      'permit2Authorization.witness must have depositAddress, an address, or termsHash, 32 bytes',
    ),
  })
  .openapi('Permit2Authorization')

const signatureShape = {
  signature: signatureText.optional().openapi({ description: "The wallet's answer to eth_signTypedData_v4." }),
  v: z.int().min(0).max(255).optional().openapi({ description: 'With `r` and `s`, instead of `signature`.' }),
  r: word('r').optional(),
  s: word('s').optional(),
}

type SignatureParts = z.infer<z.ZodObject<typeof signatureShape>>

/** Either `signature`, or `v`, `r` and `s`. */
const hasOneSignature = ({ signature, v, r, s }: SignatureParts): boolean =>
  (signature !== undefined) !== (v !== undefined && r !== undefined && s !== undefined)

const signatureRule = 'signature is required, or v, r and s'

/** An authorization in x402's form. */
export const AuthorizePayment = z
  .object({ authorization: authorizationFields, ...signatureShape })
  .refine(hasOneSignature, signatureRule)

/** A Solana transaction's maximum of 1,232 bytes, in base64. */
const transactionTextMax = 1_644

/** An authorization, or on Solana a transaction. */
export const AuthorizeRequest = z
  .object({
    authorization: authorizationFields.optional(),
    permit2Authorization: permit2Fields.optional().openapi({
      description: "Instead of `authorization`, if the payment's typed data is Permit2's.",
    }),
    ...signatureShape,
    transaction: z.base64('transaction must be base64').max(transactionTextMax).optional().openapi({
      description: 'Solana only: the transaction signed by the customer, whose fee the service pays, in base64.',
    }),
  })
  .refine(
    ({ authorization, permit2Authorization, transaction }) =>
      [authorization, permit2Authorization, transaction].filter((form) => form !== undefined).length === 1,
    'exactly one of authorization, permit2Authorization and, on Solana, transaction is required',
  )
  .refine((body) => body.transaction !== undefined || hasOneSignature(body), signatureRule)
  .openapi('AuthorizePayment')

/** The authorization with either signature form as one text. */
export function signedOf({ authorization, ...parts }: z.infer<typeof AuthorizePayment>) {
  return { ...authorization, signature: signatureOf(parts) } satisfies SignedAuthorization
}

/** @returns the ERC-3009 or Permit2 authorization; undefined for a transaction. */
export function signedOfRequest(body: z.infer<typeof AuthorizeRequest>): SignedAuthorization | undefined {
  const { authorization, permit2Authorization: permit } = body
  if (authorization) return signedOf({ ...body, authorization })
  if (!permit) return undefined
  const { from, permitted, spender, nonce, deadline, witness } = permit
  return {
    from,
    to: 'termsHash' in witness ? witness.termsHash : witness.depositAddress,
    value: permitted.amount,
    validAfter: '0',
    validBefore: deadline,
    nonce: `0x${BigInt(nonce).toString(16).padStart(64, '0')}`,
    signature: signatureOf(body),
    permit2: { token: permitted.token, spender },
  }
}

const signatureOf = ({ signature, v = 0, r = '', s = '' }: SignatureParts): string =>
  signature ?? `0x${r.slice(2)}${s.slice(2)}${v.toString(16).padStart(2, '0')}`

export const authorizedResponse = z.object({
  success: z.literal(true),
  state: z.enum(['accepted', 'pending']),
  transactionHash: z.string().nullable(),
  message: z.string(),
})

export const refusedResponse = errorBody
  .extend({ fallback: z.string().optional(), transactionHash: z.string().nullable().optional() })
  .openapi('AuthorizationRefused')
