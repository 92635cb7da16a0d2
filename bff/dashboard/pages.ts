import { html } from 'lit'
import type { OperationName } from './api/session.ts'
import type { MessageKey } from './locales/locale.ts'

type Params = { readonly [name: string]: string | undefined }

/** A page: its path, what it reads, and the file loaded when it is first shown. */
export type PageEntry = {
  path: string
  /** In the navigation; absent: reached only from another page. */
  navigation?: { label: MessageKey; icon: string }
  /** The operation that the page reads; a role that may not call it sees no link to the page. */
  reads?: OperationName
  load: () => Promise<unknown>
  render: (params: Params) => unknown
}

/** In navigation order. */
export const pages: readonly PageEntry[] = [
  {
    path: '/dashboard/',
    navigation: { label: 'page.home', icon: 'home' },
    load: () => import('./pages/home-page.ts'),
    render: () => html`<home-page></home-page>`,
  },
  {
    path: '/dashboard/payments',
    navigation: { label: 'page.payments', icon: 'payments' },
    load: () => import('./pages/payments-page.ts'),
    render: () => html`<payments-page></payments-page>`,
  },
  {
    path: '/dashboard/payments/:paymentId',
    load: () => import('./pages/payment-page.ts'),
    render: ({ paymentId }) => html`<payment-page .paymentId=${paymentId ?? ''}></payment-page>`,
  },
  {
    path: '/dashboard/links',
    navigation: { label: 'page.links', icon: 'link' },
    load: () => import('./pages/links-page.ts'),
    render: () => html`<links-page></links-page>`,
  },
  {
    path: '/dashboard/keys',
    navigation: { label: 'page.keys', icon: 'key' },
    reads: 'get /dashboard/keys',
    load: () => import('./pages/keys-page.ts'),
    render: () => html`<keys-page></keys-page>`,
  },
  {
    path: '/dashboard/people',
    navigation: { label: 'page.people', icon: 'people' },
    load: () => import('./pages/people-page.ts'),
    render: () => html`<people-page></people-page>`,
  },
  {
    path: '/dashboard/settings',
    navigation: { label: 'page.settings', icon: 'gear' },
    load: () => import('./pages/settings-page.ts'),
    render: () => html`<settings-page></settings-page>`,
  },
  {
    path: '/dashboard/audit',
    navigation: { label: 'page.audit', icon: 'audit' },
    reads: 'get /dashboard/audit',
    load: () => import('./pages/audit-page.ts'),
    render: () => html`<audit-page></audit-page>`,
  },
  {
    path: '/dashboard/sign-in',
    load: () => import('./pages/sign-in-page.ts'),
    render: () => html`<sign-in-page></sign-in-page>`,
  },
  {
    path: '/dashboard/stores',
    navigation: { label: 'page.stores', icon: 'store' },
    load: () => import('./pages/stores-page.ts'),
    render: () => html`<stores-page></stores-page>`,
  },
  {
    path: '/dashboard/stores/authorize',
    load: () => import('./pages/store-pairing-page.ts'),
    render: () => html`<store-pairing-page></store-pairing-page>`,
  },
  {
    path: '/dashboard/webhooks',
    navigation: { label: 'page.webhooks', icon: 'webhook' },
    load: () => import('./pages/webhooks-page.ts'),
    render: () => html`<webhooks-page></webhooks-page>`,
  },
  {
    path: '/dashboard/reports',
    navigation: { label: 'page.reports', icon: 'report' },
    load: () => import('./pages/reports-page.ts'),
    render: () => html`<reports-page></reports-page>`,
  },
  {
    path: '/dashboard/agents',
    navigation: { label: 'page.agents', icon: 'agent' },
    load: () => import('./pages/agents-page.ts'),
    render: () => html`<agents-page></agents-page>`,
  },
  {
    path: '/dashboard/developers',
    navigation: { label: 'page.developers', icon: 'code' },
    load: () => import('./pages/developers-page.ts'),
    render: () => html`<developers-page></developers-page>`,
  },
  {
    path: '/dashboard/system',
    navigation: { label: 'page.system', icon: 'system' },
    reads: 'get /system',
    load: () => import('./pages/system-page.ts'),
    render: () => html`<system-page></system-page>`,
  },
]
