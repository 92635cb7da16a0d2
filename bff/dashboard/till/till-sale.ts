import { html, nothing } from 'lit'
import { formatSum } from '../ui/format.ts'
import { qrPicture } from '../ui/qr-picture.ts'
import type { Sale } from './till-api.ts'
import { sumClass } from './till-format.ts'
import { s } from './till-locale.ts'

const large = (sum: string) => html`<output class=${sumClass(sum)}><bdi>${sum}</bdi></output>`

type Actions = { next: () => void; cancel: () => void; other: () => void }

type Shown = Actions & { amount: string; currency: string; isOther: boolean }

/** What the sale asks for, as it was keyed in. */
export const sumOf = ({ price, priceCurrency, amount, payment }: Sale, symbols: string): string =>
  price !== null ? formatSum(price, priceCurrency ?? '') : formatSum(amount ?? '', payment?.currency ?? symbols)

const tokensOf = (amount: string, { payment }: Sale): string => formatSum(amount, payment?.currency ?? '')

function statusOf(sale: Sale): string {
  const { payment } = sale
  switch (sale.state) {
    case 'partial':
      return s(
        'partial',
        tokensOf(payment?.amountReceived ?? '0', sale),
        tokensOf(payment?.amountRemaining ?? '0', sale),
      )
    case 'detected':
      return s('detected', payment?.confirmations ?? 0, payment?.requiredConfirmations ?? 0)
    case 'cancelled':
      return s('cancelled')
    case 'expired':
      return s('expired')
    default:
      return s('waiting')
  }
}

/** The code that the customer scans: of the address, where the till asks for a token of its own, else of the link. */
function renderCode(sale: Sale, { isOther, other }: Shown) {
  const { payment } = sale
  const own = payment?.addressQr && payment.address ? payment : null
  const first = own && formatSum(own.amountRemaining, own.currency)
  const isOwn = own !== null && !isOther
  const code = isOwn ? own.addressQr : sale.qr
  return html`
    <div class="code">
      ${code ? qrPicture(code, s('scan')) : nothing}
      ${
        isOwn
          ? html`<p class="send">${s('send', first ?? '', own.networkName)}</p>
              <p class="address" dir="ltr">${own.address}</p>`
          : html`<p class="send">${s('scan')}</p>`
      }
      ${
        own && sale.state === 'open'
          ? html`<button type="button" class="quiet" @click=${other}>
              ${isOther ? s('first', first ?? '') : s('other')}
            </button>`
          : nothing
      }
    </div>
  `
}

export function renderSale(sale: Sale | null, shown: Shown) {
  const { amount, currency, next, cancel } = shown
  if (sale === null) {
    return html`
      ${large(formatSum(amount, currency))}
      <p class="status" role="status">${s('creating')}</p>
      <div class="row"><button type="button" class="second" @click=${cancel}>${s('cancel')}</button></div>
    `
  }
  const { state } = sale
  const isOver = state === 'cancelled' || state === 'expired'
  return html`
    ${large(sumOf(sale, currency))}
    ${isOver || state === 'detected' ? nothing : renderCode(sale, shown)}
    <p class="status ${state}" role="status">
      ${state === 'open' ? html`<i class="pulse"></i>` : nothing}<span>${statusOf(sale)}</span>
      ${state === 'detected' ? html`<small>${s('detected.wait')}</small>` : nothing}
    </p>
    <div class="row">
      ${state === 'open' ? html`<button type="button" class="second" @click=${cancel}>${s('cancel')}</button>` : nothing}
      ${
        state === 'open'
          ? nothing
          : html`<button type="button" class=${isOver ? 'first' : 'second'} @click=${next}>${s('next')}</button>`
      }
    </div>
  `
}

/** The whole screen is green. */
export function renderPaid(sale: Sale, { next }: Pick<Actions, 'next'>) {
  const { receiptUrl, receiptQr } = sale
  return html`
    <svg class="check" viewBox="0 0 24 24" aria-hidden="true"><path d="M5 12.8l4.4 4.4L19 7.6"></path></svg>
    <div role="alert"><h2>${s('paid')}</h2></div>
    ${large(sumOf(sale, ''))}
    ${
      receiptUrl
        ? html`<div class="receipt">
            ${receiptQr ? qrPicture(receiptQr, s('receipt.scan')) : nothing}
            <div>
              <p>${s('receipt.scan')}</p>
              <a class="second" href=${receiptUrl} target="_blank" rel="noreferrer">${s('receipt')}</a>
            </div>
          </div>`
        : nothing
    }
    <div class="row"><button type="button" class="first" data-next @click=${next}>${s('next')}</button></div>
  `
}
