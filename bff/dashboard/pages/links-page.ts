import '@awesome.me/webawesome/dist/components/badge/badge.js'
import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/dialog/dialog.js'
import { html, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import type { PaymentLink, PaymentLinks } from '../../src/api-types.ts'
import { request } from '../api/client.ts'
import { may } from '../api/session.ts'
import { t, tOrNull } from '../locales/locale.ts'
import '../parts/link-form.ts'
import '../ui/copy-button.ts'
import { canShare, linkCode, shareLink } from '../parts/link-code.ts'
import { DelayedEnds } from '../ui/delayed-ends.ts'
import { emptyState } from '../ui/empty-state.ts'
import { faultCallout } from '../ui/fault-callout.ts'
import { formatCount, formatDay, formatTime } from '../ui/format.ts'
import { type LinkToken, linkMoney } from '../ui/link-money.ts'
import { linksStyles } from '../ui/links-styles.ts'
import { PaymentChanges } from '../ui/live-list.ts'
import { Page } from '../ui/page.ts'
import type { QrCode } from '../ui/qr-picture.ts'
import { knownCurrencies, type Rates } from '../ui/shop-total.ts'

/** Rows of one request, and those that "Show more" adds. */
const pageRows = 50

type Data = PaymentLinks & { currencies: readonly string[]; tokens: readonly LinkToken[] }

type Shown = { kind: 'new' } | { kind: 'link'; link: PaymentLink; qr: QrCode | null }

/** @summary Payment links: create, share and end a link, and see how often it was opened and paid. */
@customElement('links-page')
export class LinksPage extends Page<Data> {
  static override styles = [Page.styles, linksStyles]
  @state() private shown: Shown | null = null
  /** Increases with each dialog: a late answer for an earlier link must not replace it. */
  private turn = 0
  private rows = pageRows
  @state() private refusal: unknown

  constructor() {
    super()
    new PaymentChanges(this, () => void this.reload())
  }

  protected heading(): string {
    return t('page.links')
  }

  protected async load(signal: AbortSignal): Promise<Data> {
    type RatesReport = { rates: Rates }
    const [found, { rates }, { stablecoins }] = await Promise.all([
      this.readLinks(signal),
      // Without exchange rates, links have amounts in tokens.
      request<RatesReport>('currency/rates', { signal }).catch((): RatesReport => ({ rates: {} })),
      request<{ stablecoins: readonly LinkToken[] }>('networks/payable/stablecoins', { signal }),
    ])
    const symbols = stablecoins.map(({ symbol }) => symbol)
    return { ...found, currencies: knownCurrencies(symbols, rates), tokens: stablecoins }
  }

  /** Reads all rows that are shown: an older link may be paid meanwhile, and a new link moves the others down. */
  private async readLinks(signal: AbortSignal): Promise<PaymentLinks> {
    const links: PaymentLink[] = []
    let before: string | null = null
    for (;;) {
      // A busy till creates hundreds of sales a day, which its own page lists.
      const query = { limit: Math.min(pageRows, this.rows - links.length), sales: false, before }
      const page: PaymentLinks = await request<PaymentLinks>('links', { query, signal })
      links.push(...page.links)
      before = page.next
      if (before === null || links.length >= this.rows) return { ...page, links }
    }
  }

  private readonly showMore = (): void => {
    this.rows += pageRows
    void this.reload()
  }

  private show(shown: Shown | null): void {
    this.turn += 1
    this.shown = shown
  }

  private async open(link: PaymentLink): Promise<void> {
    this.refusal = undefined
    this.show({ kind: 'link', link, qr: null })
    const { turn } = this
    // Viewers see neither the link's URL nor its whole id.
    if (link.url === null) return
    try {
      const query = { include: 'qr' }
      const answer = await request<{ link: PaymentLink & { qr?: QrCode } }>(`links/${link.id}`, { query })
      if (turn === this.turn) this.shown = { kind: 'link', link: answer.link, qr: answer.link.qr ?? null }
    } catch (refusal) {
      if (turn === this.turn) this.refusal = refusal
    }
  }

  /** The request continues when the page is left. */
  private readonly ends = new DelayedEnds<PaymentLink>(this, async ({ id, isTest }) => {
    this.refusal = undefined
    try {
      await request(`links/${id}/end`, { method: 'POST', keepalive: true, isTest })
    } catch (refusal) {
      this.refusal = refusal
    }
    if (this.isConnected) await this.reload()
  })

  protected override renderActions(): unknown {
    // An empty list shows the button below its text.
    return this.data?.links.length ? this.renderMake() : nothing
  }

  private renderMake() {
    if (!may('post /links')) return nothing
    const make = () => {
      this.show({ kind: 'new' })
    }
    return html`
      <wa-button variant="brand" @click=${make}>
        <wa-icon slot="start" name="plus"></wa-icon>${t('links.make')}
      </wa-button>
    `
  }

  private moneyOf(link: PaymentLink): string {
    return linkMoney(link, this.data?.tokens ?? [])
  }

  /** Shown in the open dialog, else below the list. */
  private renderRefusal() {
    return this.refusal === undefined ? nothing : faultCallout(this.refusal)
  }

  private renderDialog({ currencies, tokens }: Data) {
    const { shown } = this
    const close = () => {
      this.show(null)
    }
    const made = ({ detail }: CustomEvent<PaymentLink>) => {
      // The last link that is shown stays.
      this.rows += 1
      void this.reload()
      void this.open(detail)
    }
    const content = () => {
      if (shown?.kind === 'new')
        return html`<link-form autofocus .currencies=${currencies} .tokens=${tokens} @link-made=${made}></link-form>`
      return shown ? linkCode(shown.link, shown.qr, this.moneyOf(shown.link)) : nothing
    }
    const title = shown?.kind === 'link' ? (shown.link.description ?? t('links.address')) : t('links.make')
    return html`
      <wa-dialog
        class=${shown?.kind === 'new' ? 'wide' : ''}
        ?open=${shown !== null}
        label=${title}
        @wa-after-hide=${close}
      >
        ${content()} ${shown === null ? nothing : this.renderRefusal()}
      </wa-dialog>
    `
  }

  private nameOf(link: PaymentLink): string {
    return link.description ?? link.orderId ?? this.moneyOf(link)
  }

  private renderState({ id, state: stateOfLink }: PaymentLink) {
    const shown = this.ends.isPending(id) ? 'ending' : stateOfLink
    return html`
      <wa-badge variant=${shown === 'open' ? 'brand' : 'neutral'} appearance="filled-outlined">
        ${tOrNull(`links.state.${shown}`) ?? shown}
      </wa-badge>
    `
  }

  /** The buttons of a link that can still be paid: copy, share, code, and end. */
  private renderButtons(link: PaymentLink) {
    const { id, url, state: stateOfLink } = link
    if (stateOfLink !== 'open') return nothing
    const name = this.nameOf(link)
    const isEnding = this.ends.isPending(id)
    const end = isEnding ? t('links.undo') : t('links.end')
    const iconButton = (icon: string, label: string, act: () => void) => html`
      <wa-button size="s" appearance="plain" title=${label} @click=${act}>
        <wa-icon name=${icon} label="${label}: ${name}"></wa-icon>
      </wa-button>
    `
    return html`
      <div class="buttons">
        ${
          url === null
            ? nothing
            : html`
                <copy-text text=${url} label="${t('links.address')}: ${name}"></copy-text>
                ${canShare() ? iconButton('share', t('links.share'), () => void shareLink(link)) : nothing}
                ${iconButton('qr', t('links.qr'), () => void this.open(link))}
              `
        }
        ${
          may('post /links/{linkId}/end')
            ? html`
                <wa-button
                  appearance="outlined"
                  size="s"
                  @click=${() => (isEnding ? this.ends.undo(id) : this.ends.begin(link))}
                >
                  <span aria-hidden="true">${end}</span><span class="visually-hidden">${end}: ${name}</span>
                </wa-button>
              `
            : nothing
        }
      </div>
    `
  }

  private renderRow(link: PaymentLink) {
    const { opened, paid, maxPayments, createdAt } = link
    const name = this.nameOf(link)
    return html`
      <tr>
        <td class="what">
          ${
            may('get /links/{linkId}')
              ? html`<button class="name" type="button" title=${name} @click=${() => this.open(link)}>${name}</button>`
              : html`<span class="name" title=${name}>${name}</span>`
          }
        </td>
        <td class="end number asks">${this.moneyOf(link)}</td>
        <td class="state">${this.renderState(link)}</td>
        <td class="end number opened">${formatCount(opened)}</td>
        <td class="end number paid">${t('links.paidOf', formatCount(paid), formatCount(maxPayments))}</td>
        <td class="number created" title=${formatTime(createdAt)}>${formatDay(createdAt)}</td>
        <td class="end">${this.renderButtons(link)}</td>
      </tr>
    `
  }

  private renderEmptyList() {
    return emptyState('link', t('links.empty'), this.renderMake())
  }

  private renderList(links: readonly PaymentLink[]) {
    return html`
      <div class="card scroll" role="region" aria-label=${this.heading()} tabindex="0">
        <table>
          <thead>
            <tr>
              <th scope="col">${t('links.description')}</th>
              <th scope="col" class="end">${t('links.asks')}</th>
              <th scope="col">${t('links.state')}</th>
              <th scope="col" class="end">${t('links.opened')}</th>
              <th scope="col" class="end">${t('links.paid')}</th>
              <th scope="col" class="created">${t('payments.created')}</th>
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

  protected renderData(data: Data): unknown {
    const { links, next } = data
    const ending = this.ends.things.at(-1)
    return html`
      ${links.length === 0 ? this.renderEmptyList() : this.renderList(links)}
      ${
        next === null
          ? nothing
          : html`<div class="row"><wa-button appearance="outlined" @click=${this.showMore}>${t('action.more')}</wa-button></div>`
      }
      <p class="ending small" role="status">${ending ? t('links.ending', this.nameOf(ending)) : nothing}</p>
      ${this.shown === null ? this.renderRefusal() : nothing} ${this.renderDialog(data)}
    `
  }
}
