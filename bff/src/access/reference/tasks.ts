import type { Operation, tags } from '../context/operation.ts'

type Tag = (typeof tags)[number]['name']

/** A reader's task: one page of the reference, with the operations of these tags in this order. */
export type Task = { slug: string; title: string; lead: string; tags: readonly Tag[] }

export const tasks: readonly Task[] = [
  {
    slug: 'take-a-payment',
    title: 'Take a payment',
    lead: 'Create a payment. The customer sends tokens to an address, pays by a wallet or a signature, or pays from another chain.',
    tags: ['deposits', 'contract payments', 'signatures', 'cross-chain', 'networks'],
  },
  {
    slug: 'read-a-payment',
    title: 'Read a payment',
    lead: 'Ship when `outcome` is `paid` and `isTest` is false. A payment can still change while `isFinal` is false.',
    tags: ['payments'],
  },
  {
    slug: 'refund',
    title: 'End and refund',
    lead: 'Set where money that is owed back is sent, end a payment, or accept a late one. `refund.state` shows the progress.',
    tags: ['refunds'],
  },
  {
    slug: 'links',
    title: 'Payment links',
    lead: 'Sell without a shop. Each customer of a link gets a payment of their own.',
    tags: ['links'],
  },
  {
    slug: 'webhooks',
    title: 'Webhooks',
    lead: 'Signed events for your server, their deliveries, and the same events as a feed.',
    tags: ['webhooks'],
  },
  {
    slug: 'agents',
    title: 'Agents and x402',
    lead: 'Budgets for software that pays, and payments by HTTP 402.',
    tags: ['agents', 'x402'],
  },
  {
    slug: 'test',
    title: 'Test',
    lead: 'Sandbox payments have the states and webhooks of live payments, on a simulated chain.',
    tags: ['sandbox'],
  },
  {
    slug: 'operate',
    title: 'Operate',
    lead: 'Reports, keys, and the state of the service.',
    tags: ['reports', 'merchant', 'system'],
  },
  {
    slug: 'till',
    title: 'Till',
    lead: 'A device on the counter. An owner pairs it in the dashboard; staff open it with a PIN; it sells and does nothing else.',
    tags: ['till'],
  },
  {
    slug: 'dashboard',
    title: 'Dashboard',
    lead: 'What the dashboard calls for a person who is signed in. No key may call these.',
    tags: ['dashboard'],
  },
]

/** Who may call an operation, in words. */
export const calledWith: Readonly<Record<Operation['access'], string>> = {
  open: 'nothing',
  page: "nothing, by the dashboard's page",
  key: 'any key',
  lenientKey: 'any key; nothing with `lenientClients`',
  clientSecret: 'any key, or the client secret',
  secret: 'API key and secret',
  till: 'a paired till',
  session: 'a session alone',
}
