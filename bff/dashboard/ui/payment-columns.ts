import { columnVisibilityFeature, createColumnHelper, tableFeatures } from '@tanstack/lit-table'
import { html } from 'lit'
import type { FoundPayments } from '../../src/api-types.ts'
import type { ListedNetwork } from '../api/networks.ts'
import { type MessageKey, t } from '../locales/locale.ts'
import './copy-button.ts'
import { cutText } from './cut-text.ts'
import { formatMoney, formatTime } from './format.ts'
import { networkLabel } from './network-label.ts'
import { shownOrder } from './shown-order.ts'
import { attentionBadge, outcomeBadge, statusText } from './status-badge.ts'

export type FoundPayment = FoundPayments['payments'][number]

export const features = tableFeatures({ columnVisibilityFeature })

const helper = createColumnHelper<typeof features, FoundPayment>()

const column = (id: keyof FoundPayment, header: MessageKey, cell: (payment: FoundPayment) => unknown) =>
  helper.display({ id, header: () => t(header), cell: ({ row }) => cell(row.original) })

const copied = (text: string, label: string) => html`
  <span class="copied"><code>${cutText(text)}</code><copy-text text=${text} label=${label}></copy-text></span>
`

const pathOf = (paymentId: string): string => `/dashboard/payments/${paymentId}`

/** All available columns, in table order. @param networks - For their names and logos. */
export const columnsOf = (networks: readonly ListedNetwork[]) =>
  helper.columns([
    column(
      'orderId',
      'payments.order',
      ({ paymentId, orderId }) =>
        html`<a href=${pathOf(paymentId)}>${cutText(shownOrder(orderId) ?? t('payments.noOrder'))}</a>`,
    ),
    column('outcome', 'payments.outcome', outcomeBadge),
    column('amount', 'payments.amount', ({ amount, currency }) => formatMoney(amount, currency)),
    column('amountReceived', 'payments.received', ({ amountReceived, currency }) =>
      formatMoney(amountReceived, currency),
    ),
    column('amountRefunded', 'payments.refunded', ({ amountRefunded, currency }) =>
      formatMoney(amountRefunded, currency),
    ),
    column('network', 'payments.network', ({ network }) => networkLabel(network, networks)),
    column('attention', 'payments.attention', ({ attention }) => (attention ? attentionBadge(attention) : '')),
    column('status', 'payments.status', statusText),
    column('customerEmail', 'payments.email', ({ customerEmail }) => cutText(customerEmail ?? '')),
    column('depositAddress', 'payments.address', ({ depositAddress }) =>
      depositAddress ? copied(depositAddress, t('payments.address')) : '',
    ),
    column('transactionHash', 'payments.transaction', ({ transactionHash }) =>
      transactionHash ? copied(transactionHash, t('payments.transaction')) : '',
    ),
    column('createdAt', 'payments.created', ({ createdAt }) => formatTime(createdAt)),
  ])

export const columnLabels: Readonly<Record<string, MessageKey>> = {
  orderId: 'payments.order',
  outcome: 'payments.outcome',
  amount: 'payments.amount',
  amountReceived: 'payments.received',
  amountRefunded: 'payments.refunded',
  network: 'payments.network',
  attention: 'payments.attention',
  status: 'payments.status',
  customerEmail: 'payments.email',
  depositAddress: 'payments.address',
  transactionHash: 'payments.transaction',
  createdAt: 'payments.created',
}

/** Amounts are right-aligned, so that they can be compared. */
export const isMoney = (id: string): boolean => id.startsWith('amount')

type Visibility = Record<string, boolean>

const key = 'payment-columns'

const hiddenAtFirst = [
  'amountReceived',
  'amountRefunded',
  'status',
  'customerEmail',
  'depositAddress',
  'transactionHash',
]

/** The stored choice; the first column, which links to the payment, always stays. */
export function chosenColumns(): Visibility {
  const stored = localStorage.getItem(key)
  const hidden = stored === null ? hiddenAtFirst : stored.split(' ')
  return Object.fromEntries(Object.keys(columnLabels).map((id) => [id, id === 'orderId' || !hidden.includes(id)]))
}

export function chooseColumns(visibility: Visibility): void {
  const hidden = Object.keys(visibility).filter((id) => !visibility[id])
  localStorage.setItem(key, hidden.join(' '))
}
