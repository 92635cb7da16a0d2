import { z } from '@hono/zod-openapi'
import type { ClientSecrets } from '../../access/callers/client-secret.ts'
import { defineOperation } from '../../access/context/operation.ts'
import { networkOf } from '../../access/http/client-address.ts'
import type { RateLimits } from '../../access/limits/rate-limit.ts'
import {
  errorBody,
  errorResponses,
  jsonBody,
  jsonContent,
  paymentIdParam,
} from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import { isPageLanguage, languageOf, pageTexts } from '../../checkout/pay-page/page-language.ts'
import { givenClientSecret } from '../../checkout/wire/request-schemas.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { addressMax } from '../mail/mail-settings.ts'
import type { RequestReceiptMail } from './receipt-mails.ts'

const route = defineOperation({
  method: 'post',
  path: '/payments/{paymentId}/receipt-mail',
  access: 'clientSecret',
  role: 'staff',
  operationId: 'mailReceipt',
  tags: ['payments'],
  summary: 'Send the receipt of a paid payment to an e-mail address, once',
  description:
    'For the holder of the client secret, or the merchant with API key and secret. Offered where the service has the setting `mail`. The address is deleted when the mail was sent, or after a day of failed attempts. A repeat with the same address changes nothing.',
  request: {
    params: paymentIdParam,
    body: jsonBody(
      z
        .object({
          email: z.email('email must be one e-mail address').max(addressMax),
          language: z
            .string()
            .max(10)
            .optional()
            .openapi({ description: `Of the mail: ${Object.keys(pageTexts).join(', ')}. Default: the browser's.` }),
          clientSecret: givenClientSecret,
        })
        .openapi('MailReceipt'),
    ),
  },
  responses: {
    200: jsonContent('queued', z.object({ success: z.literal(true) })),
    ...errorResponses,
    409: jsonContent('Not paid yet, or the receipt was sent to another address.', errorBody),
    429: jsonContent('Too many receipts for this address or merchant today.', errorBody),
  },
})

type Deps = {
  requestReceiptMail: RequestReceiptMail
  clientSecrets: ClientSecrets
  limits: Pick<RateLimits, 'addressOf'>
}

export function receiptMailRoute(api: Operations, { requestReceiptMail, clientSecrets, limits }: Deps) {
  api.serve(route, async (c) => {
    const id = c.req.valid('param').paymentId as PaymentId
    const { email: address, language = '', clientSecret } = c.req.valid('json')
    const requester = { caller: c.get('callerOrNull'), hasClientSecret: clientSecrets.isSecretOf(id, clientSecret) }
    await requestReceiptMail(requester, id, {
      address,
      language: isPageLanguage(language) ? language : languageOf(c),
      client: networkOf(limits.addressOf(c)),
    })
    return c.json({ success: true as const }, 200)
  })
}
