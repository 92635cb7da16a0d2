import { html } from 'lit'
import type { OperationName } from './api/session.ts'
import type { MessageKey } from './locales/locale.ts'

type Params = { readonly [name: string]: string | undefined }

/** A page's entry in the navigation. */
export type Navigation = {
  label: MessageKey
  icon: string
  /** Groups are shown apart: daily work, connections to software, and one-time settings. */
  group: 'sell' | 'connect' | 'manage'
  /** The path of the page on which this page is a tab. */
  under?: string
  /** The label of the page's own tab, if other pages are under it. */
  tab?: MessageKey
  /** Shown in the bottom bar on a phone, which has room for four. */
  isInBar?: true
}

/** A page: its path, what it reads, and the file loaded when it is first shown. */
export type PageEntry = {
  path: string
  /** Absent: reached only from another page. */
  navigation?: Navigation
  /** The operation that the page reads; a role that may not call it, or a service without that part, shows no link to the page. */
  reads?: OperationName
  load: () => Promise<unknown>
  render: (params: Params) => unknown
}

/** In navigation order. */
export const pages: readonly PageEntry[] = [
  {
    path: '/dashboard/',
    navigation: { label: 'page.home', icon: 'home', group: 'sell', isInBar: true },
    load: () => import('./pages/home-page.ts'),
    render: () => html`<home-page></home-page>`,
  },
  {
    path: '/dashboard/payments',
    navigation: { label: 'page.payments', icon: 'payments', group: 'sell', isInBar: true },
    load: () => import('./pages/payments-page.ts'),
    render: () => html`<payments-page></payments-page>`,
  },
  {
    path: '/dashboard/payments/:paymentId',
    load: () => import('./pages/payment-page.ts'),
    render: ({ paymentId }) => html`<payment-page .paymentId=${paymentId ?? ''}></payment-page>`,
  },
  {
    path: '/dashboard/refunds',
    navigation: { label: 'page.refunds', icon: 'rotate', group: 'sell' },
    reads: 'get /refunds',
    load: () => import('./pages/refunds-page.ts'),
    render: () => html`<refunds-page></refunds-page>`,
  },
  {
    path: '/dashboard/refunds/:refundId',
    load: () => import('./pages/refund-page.ts'),
    render: ({ refundId }) => html`<refund-page .refundId=${refundId ?? ''}></refund-page>`,
  },
  {
    path: '/dashboard/links',
    navigation: { label: 'page.links', icon: 'link', group: 'sell', isInBar: true },
    load: () => import('./pages/links-page.ts'),
    render: () => html`<links-page></links-page>`,
  },
  {
    path: '/dashboard/tills',
    navigation: { label: 'page.tills', icon: 'till', group: 'sell' },
    reads: 'get /dashboard/tills',
    load: () => import('./pages/tills-page.ts'),
    render: () => html`<tills-page></tills-page>`,
  },
  {
    path: '/dashboard/reports',
    navigation: { label: 'page.reports', icon: 'report', group: 'sell' },
    load: () => import('./pages/reports-page.ts'),
    render: () => html`<reports-page></reports-page>`,
  },
  {
    path: '/dashboard/stores',
    navigation: { label: 'page.stores', icon: 'store', group: 'connect' },
    load: () => import('./pages/stores-page.ts'),
    render: () => html`<stores-page></stores-page>`,
  },
  {
    path: '/dashboard/stores/authorize',
    load: () => import('./pages/store-pairing-page.ts'),
    render: () => html`<store-pairing-page></store-pairing-page>`,
  },
  {
    path: '/dashboard/developers',
    navigation: { label: 'page.developers', icon: 'code', group: 'connect', tab: 'nav.embed' },
    load: () => import('./pages/developers-page.ts'),
    render: () => html`<developers-page></developers-page>`,
  },
  {
    path: '/dashboard/keys',
    navigation: { label: 'page.keys', icon: 'key', group: 'connect', under: '/dashboard/developers' },
    reads: 'get /dashboard/keys',
    load: () => import('./pages/keys-page.ts'),
    render: () => html`<keys-page></keys-page>`,
  },
  {
    path: '/dashboard/webhooks',
    navigation: { label: 'page.webhooks', icon: 'webhook', group: 'connect', under: '/dashboard/developers' },
    load: () => import('./pages/webhooks-page.ts'),
    render: () => html`<webhooks-page></webhooks-page>`,
  },
  {
    path: '/dashboard/agents',
    navigation: { label: 'page.agents', icon: 'agent', group: 'connect', under: '/dashboard/developers' },
    load: () => import('./pages/agents-page.ts'),
    render: () => html`<agents-page></agents-page>`,
  },
  {
    path: '/dashboard/settings',
    navigation: { label: 'page.settings', icon: 'gear', group: 'manage', tab: 'nav.shop' },
    load: () => import('./pages/settings-page.ts'),
    render: () => html`<settings-page></settings-page>`,
  },
  {
    path: '/dashboard/branding',
    navigation: { label: 'yourPage.title', icon: 'eye', group: 'manage', under: '/dashboard/settings' },
    load: () => import('./pages/branding-page.ts'),
    render: () => html`<branding-page></branding-page>`,
  },
  {
    path: '/dashboard/wallets',
    navigation: { label: 'wallets.title', icon: 'payments', group: 'manage', under: '/dashboard/settings' },
    load: () => import('./pages/wallets-page.ts'),
    render: () => html`<wallets-page></wallets-page>`,
  },
  {
    path: '/dashboard/wallets/:network/addresses',
    load: () => import('./pages/addresses-page.ts'),
    render: ({ network }) => html`<addresses-page .network=${network ?? ''}></addresses-page>`,
  },
  {
    path: '/dashboard/people',
    navigation: { label: 'page.people', icon: 'people', group: 'manage', under: '/dashboard/settings' },
    load: () => import('./pages/people-page.ts'),
    render: () => html`<people-page></people-page>`,
  },
  {
    path: '/dashboard/notices',
    navigation: { label: 'page.notices', icon: 'bell', group: 'manage', under: '/dashboard/settings' },
    reads: 'get /dashboard/notices',
    load: () => import('./pages/notices-page.ts'),
    render: () => html`<notices-page></notices-page>`,
  },
  {
    path: '/dashboard/audit',
    navigation: { label: 'page.audit', icon: 'audit', group: 'manage', under: '/dashboard/settings' },
    reads: 'get /dashboard/audit',
    load: () => import('./pages/audit-page.ts'),
    render: () => html`<audit-page></audit-page>`,
  },
  {
    path: '/dashboard/system',
    navigation: { label: 'page.system', icon: 'system', group: 'manage', under: '/dashboard/settings' },
    reads: 'get /system',
    load: () => import('./pages/system-page.ts'),
    render: () => html`<system-page></system-page>`,
  },
  {
    path: '/dashboard/sign-in',
    load: () => import('./pages/sign-in-page.ts'),
    render: () => html`<sign-in-page></sign-in-page>`,
  },
]
