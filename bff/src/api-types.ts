import type { z } from '@hono/zod-openapi'
import type { DecisionItem, Policy } from './agent/policy-schemas.ts'
import type { linksResponse } from './checkout/link/link-schemas.ts'
import type { countsResponse } from './checkout/read/payment-counts.routes.ts'
import type { historyResponse, searchResponse } from './checkout/read/payment-search.routes.ts'
import type { contractCall } from './checkout/wire/contract-schemas.ts'
import type { refundsResponse } from './checkout/wire/merchant-refund-schemas.ts'
import type { publicResponse, recordResponse } from './checkout/wire/payment-schemas.ts'
import type { addressesResponse } from './dashboard/account/addresses.routes.ts'
import type {
  attentionResponse,
  errorsResponse,
  monthProgress,
  monthResponse,
  summaryResponse,
} from './reports/report-schemas.ts'
import type { deploymentResponse, doctorResponse, retriedResponse, systemResponse } from './system/system-schemas.ts'
import type { endpointsResponse } from './webhook/endpoints/endpoint-schemas.ts'
import type { deliveriesResponse, requestResponse } from './webhook/reports/delivery-schemas.ts'

/** The responses of the API as types, inferred from the schemas of the OpenAPI document. */
export type PublicAnswer = z.infer<typeof publicResponse>
export type PublicPayment = PublicAnswer['payment']
export type ContractCall = z.infer<typeof contractCall>
/** A payment as its merchant sees it: in reads with credentials, and in webhooks. */
export type MerchantPayment = z.infer<typeof recordResponse>['payment']
/** How many payments each list of the dashboard holds; 100 stands for 100 or more. */
export type PaymentCounts = z.infer<typeof countsResponse>['counts']
/** One page of `/payments`. */
export type FoundPayments = z.infer<typeof searchResponse>
export type PaymentLinks = z.infer<typeof linksResponse>
export type PaymentLink = PaymentLinks['links'][number]
/** One page of `/refunds`. */
export type MerchantRefunds = z.infer<typeof refundsResponse>
export type MerchantRefund = MerchantRefunds['refunds'][number]
/** One page of a wallet's addresses. */
export type WalletAddresses = z.infer<typeof addressesResponse>
export type PaymentHistory = z.infer<typeof historyResponse>

export type SummaryReport = z.infer<typeof summaryResponse>
export type AttentionReport = z.infer<typeof attentionResponse>
export type MonthReport = z.infer<typeof monthResponse>
export type MonthProgress = z.infer<typeof monthProgress>['progress']
export type RefusedCalls = z.infer<typeof errorsResponse>
export type SystemState = z.infer<typeof systemResponse>
export type DoctorReport = z.infer<typeof doctorResponse>
export type ContractDeployment = z.infer<typeof deploymentResponse>
export type RetriedPayouts = z.infer<typeof retriedResponse>
export type WebhookEndpoints = z.infer<typeof endpointsResponse>
export type WebhookDeliveries = z.infer<typeof deliveriesResponse>
export type WebhookRequest = z.infer<typeof requestResponse>['request']
export type AgentPolicyView = z.infer<typeof Policy>
export type AgentDecision = z.infer<typeof DecisionItem>

/** A `T` that came over the wire: the names of its fields are known, their values are unchecked. */
export type Unchecked<T> = { readonly [Name in keyof T]?: unknown }
