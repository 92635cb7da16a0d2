import { html, nothing, type TemplateResult } from 'lit'
import { amount, matching, time, webUrl } from '../api/parse-answer.ts'
import { formatPrice, formatRateTime } from '../locales/format.ts'
import { t } from '../locales/locale.ts'
import type { Answer } from '../payment.ts'
import { withUnit } from './frame.ts'

/**
 * The converted price: `€25.00 = 27.14 USDC, rate at 12:01`; without a time if the token is one unit of the currency by definition and has
 * no rate. Nothing for a payment without a price.
 */
export function viewPrice({ payment, wire }: Answer): TemplateResult | typeof nothing {
  const price = amount(wire.price)
  const currency = matching(wire.priceCurrency, /^[A-Z]{3}$/)
  const rateAtMs = time(wire.rateAt)
  if (!price || !currency || !rateAtMs) return nothing
  const [asked, due] = [formatPrice(price, currency), withUnit(payment.amount, payment)]
  const sum = amount(wire.rate) === '1' ? `${asked} = ${due}` : t('priceLine', asked, due, formatRateTime(rateAtMs))
  return html`<p class="label" part="price"><bdi>${sum}</bdi></p>`
}

/** The return link, named by its host: only the customer follows it. */
export function viewReturn(returnUrl: unknown, shop = ''): TemplateResult | typeof nothing {
  const url = webUrl(returnUrl)
  if (!URL.canParse(url)) return nothing
  return html`<a class="return" part="return" href=${url} rel="noopener"
    >${t('returnTo', shop || t('theShop'))} <bdi>(${new URL(url).host})</bdi></a
  >`
}
