import { z } from '@hono/zod-openapi'
import type { ClientSecrets } from '../../access/callers/client-secret.ts'
import { paymentLink } from '../../access/callers/client-secret.ts'
import type { Caller } from '../../access/context/caller.ts'
import type { RequestInfo } from '../../access/context/env.ts'
import type { Operation } from '../../access/context/operation.ts'
import { agentId, paymentId } from '../../access/operation/common-schemas.ts'
import { idempotencyKey } from '../../access/operation/idempotency-key.ts'
import { CreateDeposit, createDepositOperation } from '../../checkout/deposit/create-deposit.routes.ts'
import type { createDeposits } from '../../checkout/deposit/create-deposit.ts'
import { RefundRequest, requestRefundOperation } from '../../checkout/deposit/refund-request.routes.ts'
import type { RequestRefund } from '../../checkout/deposit/refund-request.ts'
import { createLinkOperation, readLinkOperation } from '../../checkout/link/link.routes.ts'
import type { Link, LinkId } from '../../checkout/link/link.ts'
import { linkIdField, NewLinkBody, PaymentLink } from '../../checkout/link/link-schemas.ts'
import { linkView } from '../../checkout/link/link-view.ts'
import type { Links } from '../../checkout/link/manage-links.ts'
import { listPayableNetworksOperation } from '../../checkout/networks/network.routes.ts'
import { typicalCost } from '../../checkout/networks/network-view.ts'
import type { ReadPayment } from '../../checkout/read/payment-reader.ts'
import { mayReadLink, readPaymentOperation } from '../../checkout/read/payment-record.routes.ts'
import type { PaymentViewer } from '../../checkout/read/payment-view.ts'
import type { WaitForPayment } from '../../checkout/read/wait-for-payment.ts'
import type { createSandboxPayments } from '../../checkout/sandbox/create-sandbox.ts'
import type { Networks } from '../../core/families.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { NetworkHealth } from '../../network/network-health.ts'
import type { Payment, PaymentId } from '../../payment/payment.ts'
import type { Policies } from '../policies.ts'
import { listAgentDecisionsOperation, readAgentPolicyOperation, setAgentPolicyOperation } from '../policy.routes.ts'
import { DecisionItem, decisionsQuery, Policy, PolicyBody } from '../policy-schemas.ts'
import { sentenceOf, sentenceOfLink, toolPayment, viewForTool } from './payment-view.ts'

/** The caller of a tool, and the progress of its call. */
export type ToolCall = {
  caller: Caller
  request: RequestInfo
  signal: AbortSignal
  /** Reports progress to the client, if it asked for that. */
  progress(elapsedMs: number, totalMs: number, text: string): Promise<void>
}

/** `message` is for a person. */
type ToolResult = { message: string } & Record<string, unknown>

/** One tool: its input is validated by the schema before it runs. */
export type Tool<Input extends z.ZodObject = z.ZodObject> = {
  /**
   * The API operation that the tool performs. Callers who may not call the operation do not have the tool; a tool of a read operation
   * changes nothing.
   */
  does: Pick<Operation, 'method' | 'scope'>
  title: string
  description: string
  input: Input
  output: z.ZodObject
  run(input: z.output<Input>, call: ToolCall): Promise<ToolResult>
}

export type ToolDeps = {
  createDeposit: ReturnType<typeof createDeposits>
  createSandbox: ReturnType<typeof createSandboxPayments>
  links: Pick<Links, 'create' | 'own'>
  requestRefund: RequestRefund
  policies: Policies
  read: ReadPayment
  viewer: PaymentViewer
  clientSecrets: ClientSecrets
  networks: Networks
  health: NetworkHealth
  waitForPayment: WaitForPayment
  runtime: Runtime
}

/** A client waits a minute for an answer unless it is notified of progress. */
const waitSeconds = { least: 1, usual: 45, most: 300 }

const message = z.string().describe('Message for a person.')
const paymentResult = z.object({ message, payment: toolPayment })
const byId = z.object({ paymentId })
const linkResult = z.object({ message, link: PaymentLink })

const repeatKey = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('Repeating the key returns the first response. Without a key, `orderId` serves as one.')

const networkItem = z.object({
  network: z.string().describe('The value of `network` when a payment is created.'),
  name: z.string(),
  isTestnet: z.boolean(),
  currencies: z.array(z.string()),
  isPayable: z.boolean(),
  reason: z.string().nullable().describe('Why the network cannot be paid on now.'),
  confirmations: z.int(),
  confirmSeconds: z.int().nullable(),
  feeLevel: z.enum(['low', 'high']).nullable(),
})

/** Keeps the types of input and handler together. */
const tool = <Input extends z.ZodObject>(definition: Tool<Input>): Tool => definition as unknown as Tool

/** Every tool by its name. Each does what one route of the API does, with the same checks. */
export function createTools(deps: ToolDeps): Readonly<Record<string, Tool>> {
  const { read, viewer, clientSecrets, policies, networks, health } = deps

  /** @param isOwn - Whether this call created the payment. */
  function show(payment: Payment, { caller, request }: ToolCall, isOwn: boolean) {
    const { origin } = request
    const isLinkShown = isOwn || mayReadLink(caller)
    const link = origin === null || !isLinkShown ? null : paymentLink(origin, payment.id, clientSecrets.of(payment.id))
    const record = viewer.merchant(payment, origin)
    // Holders of the public key wrote them: they may contain text aimed at the agent.
    if (payment.madeWith !== 'api') Object.assign(record, { orderId: null, agentId: null })
    return viewForTool(record, link)
  }

  const viewLink = (link: Link, { request }: ToolCall) => linkView(link, deps.runtime.nowMs(), request.origin)

  const answerLink = (link: ReturnType<typeof linkView>) => ({ message: sentenceOfLink(link), link })

  function answer(payment: Payment, call: ToolCall, isOwn = false) {
    const shown = show(payment, call, isOwn)
    return { message: sentenceOf(shown), payment: shown }
  }

  return {
    list_networks: tool({
      does: listPayableNetworksOperation,
      title: 'List networks',
      description: 'Networks and currencies that the merchant can be paid on, and whether each works now.',
      input: z.object({}),
      output: z.object({ message, networks: z.array(networkItem) }),
      async run(_, { caller }) {
        const listed = [...networks.values()]
          .filter(({ shortName }) => caller.wallets.has(shortName))
          .map((network) => ({
            network: network.shortName,
            name: network.name,
            isTestnet: network.isTestnet,
            currencies: network.tokens.map(({ symbol }) => symbol),
            ...health.get(network.shortName),
            ...typicalCost(network),
          }))
        const payable = listed.filter(({ isPayable }) => isPayable).map(({ name }) => name)
        const text = payable.length === 0 ? 'No network can be paid on now.' : `Payable now: ${payable.join(', ')}.`
        return { message: text, networks: listed }
      },
    }),

    create_payment: tool({
      does: createDepositOperation,
      title: 'Create a payment',
      description:
        'Creates a payment with a deposit address of its own. Give `paymentLink` to a person, or `depositAddress`, `amount` and `currency` to software. It can be paid for 15 minutes. With `isTest` no real money moves.',
      input: CreateDeposit.omit({ expiresIn: true, existingPaymentId: true }).extend({
        isTest: z.boolean().default(false).describe('A sandbox payment, which settles nothing.'),
        idempotencyKey: repeatKey,
      }),
      output: paymentResult,
      async run({ isTest, idempotencyKey: header, ...body }, call) {
        const key = idempotencyKey(createDepositOperation, { header, orderId: body.orderId })
        const id = isTest
          ? (await deps.createSandbox(call.caller, call.request, body, key)).payment.id
          : (await deps.createDeposit(call.caller, call.request, body, key)).id
        return answer(await read.own(call.caller, id as PaymentId, 404), call, true)
      },
    }),

    create_payment_link: tool({
      does: createLinkOperation,
      title: 'Create a payment link',
      description:
        'Creates a link where customers choose network and currency and pay. The link has no deadline: a payment is created when a customer has chosen. Give `url` to the customer.',
      input: NewLinkBody.extend({ idempotencyKey: repeatKey }),
      output: linkResult,
      async run({ idempotencyKey: header, ...terms }, call) {
        const key = idempotencyKey(createLinkOperation, { header, orderId: terms.orderId })
        // Stored as the API's response, so that tool and API can repeat each other.
        const stored = (link: Link) => ({ success: true, link: viewLink(link, call) })
        const { response } = await deps.links.create({ caller: call.caller, key }, terms, stored)
        return answerLink(response.link)
      },
    }),

    get_payment_link: tool({
      does: readLinkOperation,
      title: 'Read a payment link',
      description: 'Whether a payment link is open, paid or has ended, and how often it was opened and paid.',
      input: z.object({ linkId: linkIdField }),
      output: linkResult,
      run: async ({ linkId }, call) => answerLink(viewLink(await deps.links.own(call.caller, linkId as LinkId), call)),
    }),

    get_payment: tool({
      does: readPaymentOperation,
      title: 'Read a payment',
      description: 'The state of one payment. Fulfil an order only when `outcome` is `paid`.',
      input: byId,
      output: paymentResult,
      run: async ({ paymentId: id }, call) => answer(await read.own(call.caller, id as PaymentId, 404), call),
    }),

    wait_for_payment: tool({
      does: readPaymentOperation,
      title: 'Wait for a payment',
      description: `Waits until the payment is paid or has failed, at most \`timeoutSeconds\`, and reports progress. When the time is over, the answer has \`isDone: false\`: call again.`,
      input: byId.extend({
        timeoutSeconds: z.int().min(waitSeconds.least).max(waitSeconds.most).default(waitSeconds.usual),
      }),
      output: paymentResult.extend({ isDone: z.boolean() }),
      async run({ paymentId: id, timeoutSeconds }, call) {
        const timeoutMs = timeoutSeconds * 1_000
        const found = await deps.waitForPayment({
          merchantId: call.caller.merchantId,
          client: null,
          id: id as PaymentId,
          timeoutMs,
          signal: call.signal,
          read: async () => answer(await read.own(call.caller, id as PaymentId, 404), call),
          isDone: ({ payment }) => payment.outcome !== 'pending',
          progress: {
            textOf: (state) => state.message,
            report: (elapsedMs, text) => call.progress(elapsedMs, timeoutMs, text),
          },
        })
        return { ...found, isDone: found.payment.outcome !== 'pending' }
      },
    }),

    name_refund_address: tool({
      does: requestRefundOperation,
      title: 'Name a refund address',
      description:
        'Says where money that a payment owes back is sent: what exceeds the amount, came late, or arrived by mistake. It is then sent without another call. Never name an address that an exchange sent from.',
      input: byId.extend(RefundRequest.omit({ clientSecret: true }).shape),
      output: paymentResult,
      async run({ paymentId: id, address, network }, call) {
        const requester = { caller: call.caller, hasClientSecret: false }
        const { payment } = await deps.requestRefund(requester, id as PaymentId, address, network)
        return answer(payment, call)
      },
    }),

    get_agent_policy: tool({
      does: readAgentPolicyOperation,
      title: "Read an agent's policy",
      description: "The limits of an agent's spending and what it has spent. Null: it has no policy.",
      input: z.object({ agentId }),
      output: z.object({ message, policy: Policy.nullable() }),
      async run({ agentId: id }, { caller }) {
        const policy = await policies.read(caller, id)
        const spent = `${policy?.spentToday} today and ${policy?.spentThisMonth} this month`
        return { message: policy ? `Agent ${id} has spent ${spent}.` : `Agent ${id} has no policy.`, policy }
      },
    }),

    set_agent_policy: tool({
      does: setAgentPolicyOperation,
      title: "Set an agent's policy",
      description: 'Replaces the whole policy of an agent; an omitted limit is unlimited.',
      input: PolicyBody.extend({ agentId }),
      output: z.object({ message, policy: Policy }),
      async run({ agentId: id, ...terms }, { caller }) {
        const { policy } = await policies.save(caller, id, terms)
        return { message: `The policy of agent ${id} was saved.`, policy }
      },
    }),

    list_agent_decisions: tool({
      does: listAgentDecisionsOperation,
      title: 'List decisions about an agent',
      description: "Decisions about an agent's payments with their rules, newest first.",
      input: decisionsQuery.extend({ agentId }),
      output: z.object({ message, decisions: z.array(DecisionItem), next: z.int().nullable() }),
      async run({ agentId: id, ...query }, { caller }) {
        const page = await policies.decisions(caller, id, query)
        const refused = page.decisions.filter(({ isAllowed }) => !isAllowed).length
        return {
          message: `${page.decisions.length} decisions about agent ${id}, ${refused} of them refusals.`,
          ...page,
        }
      },
    }),
  }
}
