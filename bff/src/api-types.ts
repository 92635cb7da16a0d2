import type { z } from '@hono/zod-openapi'
import type { contractCall } from './checkout/contract/contract-schemas.ts'
import type { recordAnswer } from './http/answers.ts'
import type { publicAnswer } from './http/schemas.ts'

/** The answers of the interface as types, made of the schemas that the OpenAPI document is made of. */
export type PublicAnswer = z.infer<typeof publicAnswer>
export type PublicPayment = PublicAnswer['payment']
export type ContractCall = z.infer<typeof contractCall>
/** A payment as its merchant sees it: in reads with credentials, and in webhooks. */
export type MerchantPayment = z.infer<typeof recordAnswer>['payment']

/** What came as a `T` over the wire: which fields to look for is known, what is in them is not. */
export type Unchecked<T> = { readonly [Name in keyof T]?: unknown }
