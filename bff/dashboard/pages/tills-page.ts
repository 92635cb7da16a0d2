import '@awesome.me/webawesome/dist/components/badge/badge.js'
import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/dialog/dialog.js'
import { css, html, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { request } from '../api/client.ts'
import { requestConfirmed } from '../api/confirm.ts'
import { may, merchantCurrency } from '../api/session.ts'
import { t } from '../locales/locale.ts'
import { ChangingPage } from '../ui/changing-page.ts'
import { confirmed } from '../ui/confirm-dialog.ts'
import '../ui/copy-button.ts'
import { emptyState } from '../ui/empty-state.ts'
import { formatTime } from '../ui/format.ts'
import { Page } from '../ui/page.ts'
import { type QrCode, qrPicture } from '../ui/qr-picture.ts'
import { standardCurrency } from '../ui/shop-currency.ts'
import { knownCurrencies, type Rates } from '../ui/shop-total.ts'

type Till = {
  id: string
  name: string
  priceCurrency: string | null
  network: string | null
  currency: string | null
  isPaired: boolean
  isBlocked: boolean
  lastUsedAt: string | null
}
type Token = { symbol: string; currency: string; Network: { shortName: string; name: string } }
type Data = { tills: Till[]; currencies: readonly string[]; tokens: readonly Token[] }
type Pairing = { till: Till; link: string; qr: QrCode }

/** Six digits; the service also refuses one digit, and digits in a row. */
const pinPattern = `(?!(\\d)\\1{5}|${digitsInARow().join('|')})\\d{6}`

function digitsInARow(): string[] {
  const starts = Array.from({ length: 10 }, (_, start) => start)
  return [1, 9].flatMap((step) =>
    starts.map((start) =>
      starts
        .slice(0, 6)
        .map((at) => (start + at * step) % 10)
        .join(''),
    ),
  )
}

const pinInput = () => html`
  <input
    name="pin"
    required
    inputmode="numeric"
    pattern=${pinPattern}
    title=${t('tills.pin.hint')}
    maxlength="6"
    autocomplete="off"
    placeholder=${t('tills.pin.hint')}
  />
`

const styles = css`
  .qr {
    display: block;
    width: min(100%, 18rem);
    margin: 0 auto;
  }
`

/** @summary Tills: owners add one, connect its device by a code, unblock and remove it. */
@customElement('tills-page')
export class TillsPage extends ChangingPage<Data> {
  static override styles = [Page.styles, styles]
  @state() private pairing: Pairing | null = null
  /** The till that gets a new PIN. */
  @state() private repinned: Till | null = null

  protected heading(): string {
    return t('page.tills')
  }

  protected async load(signal: AbortSignal): Promise<Data> {
    type RatesReport = { rates: Rates }
    const [{ tills }, { rates }, { stablecoins }] = await Promise.all([
      request<{ tills: Till[] }>('dashboard/tills', { signal }),
      // Without exchange rates, tills have amounts in tokens.
      request<RatesReport>('currency/rates', { signal }).catch((): RatesReport => ({ rates: {} })),
      request<{ stablecoins: readonly Token[] }>('networks/payable/stablecoins', { signal }),
    ])
    const symbols = stablecoins.map(({ symbol }) => symbol)
    return { tills, currencies: knownCurrencies(symbols, rates), tokens: stablecoins }
  }

  private readonly make = (event: SubmitEvent): void => {
    event.preventDefault()
    const element = event.target as HTMLFormElement
    const form = new FormData(element)
    const [network = '', currency = ''] = String(form.get('first') ?? '').split(' ')
    const body = {
      name: form.get('name'),
      pin: form.get('pin'),
      ...(form.get('priceCurrency') !== '' && { priceCurrency: form.get('priceCurrency') }),
      ...(network !== '' && { network, currency }),
    }
    void this.change('make', async () => {
      this.pairing = await requestConfirmed<Pairing>('dashboard/tills', { method: 'POST', body })
      element.reset()
    })
  }

  private pair({ id }: Till): void {
    void this.change(id, async () => {
      this.pairing = await requestConfirmed<Pairing>(`dashboard/tills/${id}/pairing`, { method: 'POST' })
    })
  }

  private unblock({ id }: Till): void {
    const body = { unblock: true }
    void this.change(id, () => requestConfirmed(`dashboard/tills/${id}`, { method: 'PATCH', body }))
  }

  private readonly savePin = (event: SubmitEvent): void => {
    event.preventDefault()
    const till = this.repinned
    if (!till) return
    const body = { pin: new FormData(event.target as HTMLFormElement).get('pin') }
    void this.change(
      till.id,
      () => requestConfirmed(`dashboard/tills/${till.id}`, { method: 'PATCH', body }),
      t('tills.pin.saved'),
    )
    this.repinned = null
  }

  private async removeTill({ id, name }: Till): Promise<void> {
    if (!(await confirmed(`${t('tills.remove')}: ${name}`, t('tills.remove.text')))) return
    await this.change(id, () => requestConfirmed(`dashboard/tills/${id}`, { method: 'DELETE' }))
  }

  private renderForm({ currencies, tokens }: Data) {
    if (!may('post /dashboard/tills')) return nothing
    // The shop's, where customers can be asked for it.
    const [first] = currencies
    const standard = [merchantCurrency(), standardCurrency].find((code) => code && currencies.includes(code)) ?? first
    return html`
      <form class="card stack" @submit=${this.make}>
        <h2>${t('tills.make')}</h2>
        <div class="grid">
          <label class="field">
            ${t('tills.name')}
            <input name="name" required maxlength="100" autocomplete="off" placeholder=${t('tills.name.hint')} />
          </label>
          <label class="field">
            ${t('tills.pin')} ${pinInput()}
          </label>
          <label class="field">
            ${t('tills.currency')}
            <select name="priceCurrency">
              ${currencies.map((code) => html`<option value=${code} ?selected=${code === standard}>${code}</option>`)}
              <option value="">${t('tills.tokens')}</option>
            </select>
          </label>
          <label class="field">
            ${t('tills.first')}
            <select name="first">
              <option value="">${t('links.customerChooses')}</option>
              ${tokens.map(
                ({ symbol, Network }) =>
                  html`<option value="${Network.shortName} ${symbol}">${symbol} · ${Network.name}</option>`,
              )}
            </select>
          </label>
        </div>
        <div class="row"><wa-button type="submit" variant="brand" ?disabled=${this.isBusy}>${t('tills.make')}</wa-button></div>
        ${this.renderResult('make')}
      </form>
    `
  }

  private renderTill(till: Till) {
    const { name, priceCurrency, currency, lastUsedAt, isBlocked, isPaired } = till
    const kind = isBlocked ? 'blocked' : isPaired ? 'paired' : 'unpaired'
    const variant = isBlocked ? 'danger' : isPaired ? 'success' : 'neutral'
    const button = (label: string, act: () => void) =>
      html`<wa-button size="s" appearance="outlined" ?disabled=${this.isBusy} @click=${act}>${label}<span class="visually-hidden">: ${name}</span></wa-button>`
    return html`
      <tr>
        <td>${name}</td>
        <td>${priceCurrency ?? currency ?? t('tills.tokens')}</td>
        <td><wa-badge variant=${variant} appearance="filled-outlined">${t(`tills.state.${kind}`)}</wa-badge></td>
        <td class="number">${lastUsedAt === null ? t('tills.never') : formatTime(lastUsedAt)}</td>
        <td class="end">
          ${
            may('post /dashboard/tills')
              ? html`<div class="row">
                  ${isBlocked ? button(t('tills.unblock'), () => this.unblock(till)) : nothing}
                  ${button(t('tills.pair.new'), () => this.pair(till))}
                  ${button(t('tills.pin.new'), () => {
                    this.repinned = till
                  })}
                  ${button(t('tills.remove'), () => void this.removeTill(till))}
                </div>`
              : nothing
          }
          ${this.renderResult(till.id)}
        </td>
      </tr>
    `
  }

  private renderDialog() {
    const { pairing } = this
    const close = () => {
      this.pairing = null
    }
    return html`
      <wa-dialog ?open=${pairing !== null} label=${t('tills.pair')} @wa-after-hide=${close}>
        ${
          pairing === null
            ? nothing
            : html`<div class="stack">
                <p>${t('tills.pair.text')}</p>
                ${qrPicture(pairing.qr, t('tills.qr.alt'))}
                <p class="copied">
                  <code data-link>${pairing.link}</code
                  ><copy-text text=${pairing.link} label=${t('tills.pair.new')}></copy-text>
                </p>
              </div>`
        }
      </wa-dialog>
    `
  }

  private renderPinDialog() {
    const { repinned } = this
    const close = () => {
      this.repinned = null
    }
    return html`
      <wa-dialog ?open=${repinned !== null} label="${t('tills.pin.new')}: ${repinned?.name}" @wa-after-hide=${close}>
        <form class="stack" @submit=${this.savePin}>
          <p>${t('tills.pin.new.text')}</p>
          <label class="field">${t('tills.pin')} ${repinned === null ? nothing : pinInput()}</label>
          <div class="row"><wa-button type="submit" variant="brand">${t('action.save')}</wa-button></div>
        </form>
      </wa-dialog>
    `
  }

  protected renderData(data: Data): unknown {
    return html`
      ${
        data.tills.length === 0
          ? emptyState('till', t('tills.empty'))
          : html`
              <div class="card scroll" role="region" aria-label=${this.heading()} tabindex="0">
                <table>
                  <thead>
                    <tr>
                      <th scope="col">${t('tills.name')}</th>
                      <th scope="col">${t('tills.currency')}</th>
                      <th scope="col">${t('tills.device')}</th>
                      <th scope="col">${t('tills.lastUse')}</th>
                      <td></td>
                    </tr>
                  </thead>
                  <tbody>
                    ${data.tills.map((till) => this.renderTill(till))}
                  </tbody>
                </table>
              </div>
            `
      }
      ${this.renderForm(data)} ${this.renderDialog()} ${this.renderPinDialog()}
    `
  }
}
