import type { z } from '@hono/zod-openapi'
import type { contractCall } from './checkout/contract/contract-schemas.ts'
import type { publicResponse, recordResponse } from './checkout/payment-schemas.ts'

/** The responses of the API as types, inferred from the schemas of the OpenAPI document. */
export type PublicAnswer = z.infer<typeof publicResponse>
export type PublicPayment = PublicAnswer['payment']
export type ContractCall = z.infer<typeof contractCall>
/** A payment as its merchant sees it: in reads with credentials, and in webhooks. */
export type MerchantPayment = z.infer<typeof recordResponse>['payment']

/** A `T` that came over the wire: the names of its fields are known, their values are unchecked. */
export type Unchecked<T> = { readonly [Name in keyof T]?: unknown }
