import { html, type TemplateResult } from 'lit'
import { t } from '../locales/locale.ts'
import type { Payment } from '../payment.ts'
import { viewDeposit } from './deposit.ts'
import type { View } from './view.ts'

/** The size of the QR code of an EVM address. */
const qr = { size: 29, modules: new Uint8Array() }

const placeholder = {
  amount: '25.00',
  currency: 'USDC',
  network: 'network',
  depositAddress: `0x${'0'.repeat(40)}`,
  chainId: 1,
  logo: { token: '', network: '' },
  qr: { address: qr, uri: qr },
} as Payment

/** Inert and hidden: only its layout counts. */
const view = { following: { stage: 'awaiting', answer: { payment: placeholder } }, leftMs: 0 } as unknown as View

/** The deposit screen without its text, so that the shop's page does not shift when the payment is loaded. */
export function viewSkeleton(): TemplateResult {
  return html`<p class="sr" part="status">${t('loading')}</p>
    <div class="skeleton" aria-hidden="true" inert>${viewDeposit(view)}</div>`
}
