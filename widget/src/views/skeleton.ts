import { html, type TemplateResult } from 'lit/html.js'
import type { Following } from '../checkout.ts'
import type { Payment } from '../payment.ts'
import { type Language, say } from '../words/say.ts'
import { viewDeposit } from './deposit.ts'

/** The size of the QR code of an EVM address. */
const qr = { size: 29, modules: new Uint8Array() }

const placeholder = {
  amount: '25.00',
  currency: 'USDC',
  network: 'network',
  depositAddress: `0x${'0'.repeat(40)}`,
  chainId: 1,
  qr: { address: qr, uri: qr },
} as Payment

const nothingYet = () => {}

/** Its words are not seen. */
const language = {} as Language

/** The deposit screen itself without its words, so that nothing on the shop's page moves when the payment comes. */
export function viewSkeleton(): TemplateResult {
  const following = { stage: 'awaiting', answer: { payment: placeholder } } as Following
  return html`<p class="sr" part="status">${say('loading')}</p>
    <div class="skeleton" aria-hidden="true" inert>
      ${viewDeposit({
        language,
        following,
        leftMs: 0,
        qrChoice: 'address',
        copyState: null,
        onCopy: nothingYet,
        onChooseQr: nothingYet,
        onRestart: nothingYet,
        onWallet: nothingYet,
      })}
    </div>`
}
