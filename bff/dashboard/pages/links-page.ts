import '@awesome.me/webawesome/dist/components/badge/badge.js'
import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/dialog/dialog.js'
import { css, html, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import type { PaymentLink, PaymentLinks } from '../../src/api-types.ts'
import { request } from '../api/client.ts'
import { may, merchantName } from '../api/session.ts'
import { t, tOrNull } from '../locales/locale.ts'
import '../parts/link-form.ts'
import '../ui/copy-button.ts'
import { cutText } from '../ui/cut-text.ts'
import { faultCallout } from '../ui/fault-callout.ts'
import { formatCount, formatMoney, formatTime } from '../ui/format.ts'
import { PaymentChanges } from '../ui/live-list.ts'
import { Page } from '../ui/page.ts'
import { type QrCode, qrPicture } from '../ui/qr-picture.ts'

const linksOfPage = 50

type Token = { symbol: string; Network: { shortName: string; name: string } }

type Data = PaymentLinks & { currencies: readonly string[]; tokens: readonly Token[] }

type Shown =
  | { kind: 'new' }
  | { kind: 'link'; link: PaymentLink; qr: QrCode | null }
  | { kind: 'end'; link: PaymentLink }

const styles = css`
  .qr {
    display: block;
    width: min(100%, 16rem);
    margin: 0 auto;
  }
  td wa-button::part(label) {
    text-align: start;
  }
  .paper {
    display: none;
  }
  /* On paper: whose link it is, what it is for and asks for, its code and its address, and nothing of the page behind the dialog. */
  @media print {
    :has(~ wa-dialog[open]),
    wa-dialog::part(header-actions),
    wa-dialog copy-text,
    wa-dialog .row {
      display: none;
    }
    wa-dialog {
      --wa-color-overlay-modal: transparent;
    }
    wa-dialog::part(dialog) {
      position: static;
      width: 100%;
      max-width: none;
      max-height: none;
      box-shadow: none;
    }
    wa-dialog::part(title),
    wa-dialog .stack {
      text-align: center;
    }
    .paper {
      display: block;
      font-size: 1.25rem;
    }
    .qr {
      width: min(100%, 10cm);
    }
  }
`

/** @summary Payment links: create one, print its QR code, see how often it was opened and paid, end it. */
@customElement('links-page')
export class LinksPage extends Page<Data> {
  static override styles = [Page.styles, styles]
  @state() private shown: Shown | null = null
  @state() private older: PaymentLink[] = []
  @state() private next: string | null = null
  @state() private refusal: unknown

  constructor() {
    super()
    new PaymentChanges(this, () => void this.reload())
  }

  protected heading(): string {
    return t('page.links')
  }

  protected async load(signal: AbortSignal): Promise<Data> {
    type Rates = { rates: Record<string, Record<string, number>> }
    const [found, { rates }, { stablecoins }] = await Promise.all([
      request<PaymentLinks>('links', { query: { limit: linksOfPage }, signal }),
      // Without exchange rates, links ask for tokens.
      request<Rates>('currency/rates', { signal }).catch(() => ({ rates: {} }) as Rates),
      request<{ stablecoins: readonly Token[] }>('networks/payable/stablecoins', { signal }),
    ])
    if (this.older.length === 0) this.next = found.next
    return { ...found, currencies: Object.keys(rates['USDC'] ?? {}), tokens: stablecoins }
  }

  private readonly loadOlder = async (): Promise<void> => {
    try {
      const page = await request<PaymentLinks>('links', { query: { limit: linksOfPage, before: this.next } })
      this.older = [...this.older, ...page.links]
      this.next = page.next
    } catch (refusal) {
      this.refusal = refusal
    }
  }

  private async open(link: PaymentLink): Promise<void> {
    this.refusal = undefined
    this.shown = { kind: 'link', link, qr: null }
    // Viewers see neither the link's URL nor its whole id.
    if (link.url === null) return
    try {
      const query = { include: 'qr' }
      const answer = await request<{ link: PaymentLink & { qr?: QrCode } }>(`links/${link.id}`, { query })
      this.shown = { kind: 'link', link: answer.link, qr: answer.link.qr ?? null }
    } catch (refusal) {
      this.refusal = refusal
    }
  }

  private async end({ id }: PaymentLink): Promise<void> {
    this.refusal = undefined
    try {
      await request(`links/${id}/end`, { method: 'POST' })
      this.shown = null
      await this.reload()
    } catch (refusal) {
      this.refusal = refusal
    }
  }

  protected override renderActions(): unknown {
    if (!may('post /links')) return nothing
    const make = () => {
      this.shown = { kind: 'new' }
    }
    return html`
      <wa-button variant="brand" @click=${make}>
        <wa-icon slot="start" name="plus"></wa-icon>${t('links.make')}
      </wa-button>
    `
  }

  private titleOf(shown: Shown): string {
    if (shown.kind === 'new') return t('links.make')
    return shown.kind === 'end' ? t('links.end') : (shown.link.description ?? t('links.address'))
  }

  private renderLink({ link, qr }: { link: PaymentLink; qr: QrCode | null }) {
    const { url } = link
    if (url === null) return html`<p>${t('links.noUrl')}</p>`
    return html`
      <div class="stack">
        <p class="paper"><bdi>${merchantName()}</bdi></p>
        <p><strong class="number">${moneyIn(link, this.data?.tokens ?? [])}</strong></p>
        ${qr ? qrPicture(qr, t('links.qr.alt')) : nothing}
        <p>
          <a href=${url} target="_blank" rel="noreferrer">${url}</a>
          <copy-text text=${url} label=${t('links.address')}></copy-text>
        </p>
        <div class="row">
          <wa-button appearance="outlined" @click=${() => print()}>
            <wa-icon slot="start" name="print"></wa-icon>${t('links.print')}
          </wa-button>
        </div>
      </div>
    `
  }

  /** In the dialog that is open, else below the list, where the button for more is. */
  private renderRefusal() {
    return this.refusal === undefined ? nothing : faultCallout(this.refusal)
  }

  private renderDialog({ currencies, tokens }: Data) {
    const { shown } = this
    const close = () => {
      this.shown = null
    }
    const made = ({ detail }: CustomEvent<PaymentLink>) => {
      void this.reload()
      void this.open(detail)
    }
    const content = () => {
      if (shown?.kind === 'new')
        return html`<link-form .currencies=${currencies} .tokens=${tokens} @link-made=${made}></link-form>`
      if (shown?.kind === 'link') return this.renderLink(shown)
      if (shown?.kind !== 'end') return nothing
      return html`
        <div class="stack">
          <p>${t('links.end.text')}</p>
          <div class="row">
            <wa-button variant="danger" @click=${() => this.end(shown.link)}>${t('links.end')}</wa-button>
            <wa-button appearance="outlined" @click=${close}>${t('action.cancel')}</wa-button>
          </div>
        </div>
      `
    }
    return html`
      <wa-dialog ?open=${shown !== null} label=${shown ? this.titleOf(shown) : ''} @wa-after-hide=${close}>
        ${content()} ${shown === null ? nothing : this.renderRefusal()}
      </wa-dialog>
    `
  }

  private renderRow(link: PaymentLink) {
    const { state: stateOfLink, description, orderId, opened, paid, maxPayments, createdAt } = link
    const name = description ?? orderId ?? moneyIn(link, this.data?.tokens ?? [])
    const end = () => {
      this.refusal = undefined
      this.shown = { kind: 'end', link }
    }
    return html`
      <tr>
        <td>
          ${
            may('get /links/{linkId}')
              ? html`<wa-button appearance="plain" size="s" @click=${() => this.open(link)}>${cutText(name)}</wa-button>`
              : cutText(name)
          }
        </td>
        <td class="end number">${moneyIn(link, this.data?.tokens ?? [])}</td>
        <td>
          <wa-badge variant=${stateOfLink === 'open' ? 'brand' : 'neutral'} appearance="filled-outlined">
            ${tOrNull(`links.state.${stateOfLink}`) ?? stateOfLink}
          </wa-badge>
        </td>
        <td class="end number">${formatCount(opened)}</td>
        <td class="end number">${t('links.paidOf', formatCount(paid), formatCount(maxPayments))}</td>
        <td>${formatTime(createdAt)}</td>
        <td>
          ${
            may('post /links/{linkId}/end') && stateOfLink === 'open'
              ? html`<wa-button appearance="outlined" size="s" aria-label="${t('links.end')}: ${name}" @click=${end}>
                  ${t('links.end')}
                </wa-button>`
              : nothing
          }
        </td>
      </tr>
    `
  }

  protected renderData(data: Data): unknown {
    const links = [...data.links, ...this.older]
    return html`
      ${
        links.length === 0
          ? html`<div class="card"><p>${t('links.empty')}</p></div>`
          : html`
              <div class="card scroll" role="region" aria-label=${this.heading()} tabindex="0">
                <table>
                  <thead>
                    <tr>
                      <th scope="col">${t('links.description')}</th>
                      <th scope="col" class="end">${t('links.asks')}</th>
                      <th scope="col">${t('links.state')}</th>
                      <th scope="col" class="end">${t('links.opened')}</th>
                      <th scope="col" class="end">${t('links.paid')}</th>
                      <th scope="col">${t('payments.created')}</th>
                      <th scope="col"><span class="visually-hidden">${t('links.end')}</span></th>
                    </tr>
                  </thead>
                  <tbody>
                    ${links.map((link) => this.renderRow(link))}
                  </tbody>
                </table>
              </div>
            `
      }
      ${
        this.next === null
          ? nothing
          : html`<div class="row"><wa-button appearance="outlined" @click=${this.loadOlder}>${t('action.more')}</wa-button></div>`
      }
      ${this.shown === null ? this.renderRefusal() : nothing} ${this.renderDialog(data)}
    `
  }
}

/** The link's price: an amount of a certain or any of the tokens, or of a currency. */
function moneyIn({ amount, price, priceCurrency, currency }: PaymentLink, tokens: readonly Token[]): string {
  if (price !== null) return formatMoney(price, priceCurrency ?? '')
  return formatMoney(amount ?? '', currency ?? [...new Set(tokens.map(({ symbol }) => symbol))].join(' / '))
}
