import { defineOperation } from '../../access/context/operation.ts'
import { createFieldFilter } from '../../access/context/seen-by.ts'
import { errorContent, errorResponses, jsonBody, jsonContent } from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import { ValidationError } from '../../core/errors.ts'
import type { Db } from '../../db/db.ts'
import type { MerchantRefund } from '../../payment/merchant-refund.ts'
import type { ContractSettings } from '../contract/contract-payments.routes.ts'
import * as schemas from '../wire/merchant-refund-schemas.ts'
import { type MerchantRefundViewer, withTransfers } from './merchant-refund-view.ts'
import type { PromptReport, RefundPrompts } from './refund-prompts.ts'

const secretFor = 'Refunds are'

const conflict = { 409: errorContent('a refund is not payable, or a wallet was asked before: `code` says which') }

const promptOperation = defineOperation({
  method: 'post',
  path: '/refunds/prompts',
  access: 'secret',
  secretFor,
  role: 'staff',
  passkey: 'always',
  audit: 'merchantRefund.prompted',
  operationId: 'promptRefundWallet',
  tags: ['refunds'],
  summary: 'Record that a wallet is asked to pay refunds, and get the call that it sends',
  description:
    'Call it before the wallet is asked: while the prompt may still pay, no other wallet is asked for the same refund, whichever page or person pays it. Report what the wallet answered with `reportRefundPrompt`. A prompt ends by itself when it has paid, or when the chain proves that it can no longer pay.',
  request: { body: jsonBody(schemas.PromptRefundWallet) },
  responses: { 200: jsonContent('ask the wallet now', schemas.promptResponse), ...errorResponses, ...conflict },
})

const reportOperation = defineOperation({
  method: 'post',
  path: '/refunds/prompts/{promptId}',
  access: 'secret',
  secretFor,
  role: 'staff',
  operationId: 'reportRefundPrompt',
  tags: ['refunds'],
  summary:
    'Report what the wallet answered: its transaction, its batch, or that it rejected the prompt or gave up the batch',
  description:
    'Only the session, or the key, that called `promptRefundWallet` knows it; for all others there is no such prompt.',
  request: { params: schemas.promptParam, body: jsonBody(schemas.ReportRefundPrompt) },
  responses: { 200: jsonContent('stored', schemas.promptEnded), ...errorResponses, ...conflict },
})

const releaseOperation = defineOperation({
  method: 'post',
  path: '/refunds/prompts/{promptId}/release',
  access: 'secret',
  secretFor,
  role: 'staff',
  passkey: 'always',
  audit: 'merchantRefund.released',
  operationId: 'releaseRefundPrompt',
  tags: ['refunds'],
  summary: 'Release a prompt whose wallet sent nothing: the refunds can be paid again',
  description: 'If the wallet sends after all, the customer gets the money twice, unless the splitter pays it.',
  request: { params: schemas.promptParam },
  responses: { 200: jsonContent('ended', schemas.promptEnded), ...errorResponses },
})

const forReader = createFieldFilter(schemas.refundShape)

type Deps = Pick<ContractSettings, 'chains' | 'stopping'> & {
  db: Db
  refundPrompts: RefundPrompts
  refundViewer: MerchantRefundViewer
}

export function refundPromptRoutes(api: Operations, { db, chains, stopping, refundPrompts, refundViewer }: Deps) {
  const success = true as const

  /** The transaction for one refund, where the service builds it (Solana). @throws {PaymentError} */
  async function transactionOf(refunds: readonly MerchantRefund[], account: string): Promise<string | null> {
    const [refund, another] = refunds
    const make = refund && chains.get(refund.network)?.refundTransaction
    if (!refund || !make) return null
    if (another) throw new ValidationError('refundIds must name one refund on this network')
    return await make(refund, account, stopping)
  }

  api.serve(promptOperation, async (c) => {
    const caller = c.get('caller')
    const { id, account, refunds } = await refundPrompts.ask(caller, c.req.valid('json'), stopping)
    c.set('change', { subject: refunds.map((refund) => refund.id).join(', '), after: account })
    const transaction = await transactionOf(refunds, account).catch(async (error: unknown) => {
      // No wallet was prompted.
      await refundPrompts.report(caller, id, { isRejected: true }, stopping)
      throw error
    })
    const views = []
    for (const refund of refunds) {
      const shown = await db.read((tx) => withTransfers(tx, refund))
      views.push(forReader(caller, refundViewer.merchant(shown, caller, c.get('origin'))))
    }
    return c.json({ success, prompt: { id, transaction }, refunds: views }, 200)
  })

  api.serve(reportOperation, async (c) => {
    const report = c.req.valid('json')
    if (Object.values(report).length !== 1)
      throw new ValidationError('send one of transactionHash, batchId, isRejected and isGivenUp')
    await refundPrompts.report(c.get('caller'), c.req.valid('param').promptId, report as PromptReport, stopping)
    return c.json({ success }, 200)
  })

  api.serve(releaseOperation, async (c) => {
    const { promptId } = c.req.valid('param')
    const refundIds = await refundPrompts.release(c.get('caller'), promptId)
    c.set('change', { subject: refundIds.join(', ') })
    return c.json({ success }, 200)
  })
}
