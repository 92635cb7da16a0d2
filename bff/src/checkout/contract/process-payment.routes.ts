import { z } from '@hono/zod-openapi'
import { defineOperation } from '../../access/context/operation.ts'
import { errorBody, errorResponses, jsonBody, jsonContent, paymentId } from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import { familyOf } from '../../chain/index.ts'
import { TransactionRefused } from '../../chain/refusal.ts'
import { PaymentError, ValidationError } from '../../core/errors.ts'
import { findNetwork, type Network, type Networks } from '../../core/families.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import { outcomeOf, type Payment, type PaymentId } from '../../payment/payment.ts'
import type { ReadPayment } from '../read/payment-reader.ts'
import type { PaymentViewer } from '../read/payment-view.ts'
import { paymentStatus } from '../wire/payment-schemas.ts'
import * as fields from '../wire/request-schemas.ts'
import { senderAddress, verifySenderAddress } from './named-sender.ts'
import type { Processor } from './process-payment.ts'
import { saveSubmission } from './submission-store.ts'

const ProcessPayment = z
  .object({
    paymentId: paymentId,
    network: fields.networkName,
    transactionHash: z.string('transactionHash is required').min(1, 'transactionHash is required').max(100),
    senderAddress: senderAddress.optional(),
  })
  .openapi('ProcessPayment')

const processedResponse = z.object({
  success: z.literal(true),
  message: z.string(),
  isAlreadyCompleted: z.boolean(),
  payment: paymentStatus,
})

/** Error body with the additional fields of `/payments/process`. */
const unprocessedResponse = errorBody
  .extend({ isAlreadyCompleted: z.boolean().optional(), verificationAttempts: z.int().optional() })
  .openapi('ProcessError')

const route = defineOperation({
  method: 'post',
  path: '/payments/process',
  access: 'key',
  role: 'none',
  operationId: 'processPayment',
  tags: ['contract payments'],
  summary: 'Submit a broadcast transaction for verification on chain; waits for its confirmations',
  request: { body: jsonBody(ProcessPayment) },
  responses: {
    200: jsonContent('the payment is paid', processedResponse),
    ...errorResponses,
    400: jsonContent(
      'The transaction has not paid the payment, or not yet. `message` explains why; retrying is safe.',
      unprocessedResponse,
    ),
  },
})

type Deps = {
  db: Db
  networks: Networks
  processor: Processor
  read: ReadPayment
  viewer: PaymentViewer
  runtime: Runtime
  clientDigest: (address: string) => string
}

export function processPaymentRoute(api: Operations, deps: Deps) {
  const { db, networks, processor, read, viewer, runtime, clientDigest } = deps

  api.serve(route, async (c) => {
    const body = c.req.valid('json')
    c.set('paymentId', body.paymentId)
    const caller = c.get('caller')
    const payment = await read.own(caller, body.paymentId as PaymentId, 404)
    const network = findNetwork(networks, body.network)
    if (network?.shortName !== payment.network) {
      throw new ValidationError(`network must be ${payment.network}, the network of the payment, not "${body.network}"`)
    }
    const txId = parseTxId(network, body.transactionHash)
    // Validated only: a sender must be set at create, because this field proves nothing.
    verifySenderAddress(network, body.senderAddress)
    if (payment.mode !== 'contract') return refuseDeposit(payment)
    const isAlreadyCompleted = outcomeOf(payment) === 'paid'
    const attempts = isAlreadyCompleted
      ? 0
      : await db.write((tx) => saveSubmission(tx, payment.id, txId, runtime.nowMs()))
    const client = caller.kind === 'public' ? clientDigest(caller.address) : null
    const result = isAlreadyCompleted ? payment : await processor.process(payment, txId, c.req.raw.signal, client)
    if (result instanceof TransactionRefused) {
      const fields = { isAlreadyCompleted: false, verificationAttempts: attempts }
      throw new PaymentError(result.code, result.message, { fields })
    }
    const message = isAlreadyCompleted ? 'The payment was already paid.' : 'The payment is paid.'
    return c.json({ success: true as const, message, isAlreadyCompleted, payment: viewer.status(result) }, 200)
  })
}

/** @throws {ValidationError} */
function parseTxId(network: Network, text: string): string {
  const family = familyOf(network)
  const txId = family.parseTxId(text)
  if (txId === undefined) throw new ValidationError(`transactionHash must be ${family.txIdFormat}`)
  return txId
}

/** A deposit's address is watched, so there is nothing to submit. */
function refuseDeposit(payment: Payment): never {
  const isAlreadyCompleted = outcomeOf(payment) === 'paid'
  const message = isAlreadyCompleted
    ? 'The payment is already paid.'
    : 'This payment is paid to its deposit address, which the service watches. No transaction needs to be submitted.'
  throw new PaymentError('NOT_A_CONTRACT_PAYMENT', message, { fields: { isAlreadyCompleted } })
}
