import { defineOperation } from '../../access/context/operation.ts'
import { errorResponses, jsonContent, paymentIdParam } from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import type { PaymentId } from '../../payment/payment.ts'
import type { ReadPayment } from '../read/payment-reader.ts'
import type { PaymentViewer } from '../read/payment-view.ts'
import { depositStatusResponse } from '../wire/payment-schemas.ts'

const route = defineOperation({
  method: 'get',
  path: '/deposits/status/{paymentId}',
  access: 'lenientKey',
  role: 'viewer',
  scope: 'agent',
  operationId: 'readDepositStatus',
  tags: ['payments'],
  summary: 'The amounts received at the deposit address and still due',
  request: { params: paymentIdParam },
  responses: { 200: jsonContent('the payment', depositStatusResponse), ...errorResponses },
})

type Deps = { read: ReadPayment; viewer: PaymentViewer }

export function depositStatusRoute(api: Operations, { read, viewer }: Deps) {
  api.serve(route, async (c) => {
    const id = c.req.valid('param').paymentId as PaymentId
    const caller = c.get('callerOrNull')
    // Version 1 of the API responds 500 for unknown ids.
    const payment = caller ? await read.own(caller, id, 500) : await read.byId(id, 500)
    return c.json({ success: true as const, payment: viewer.deposit(payment) }, 200)
  })
}
