import '@awesome.me/webawesome/dist/components/badge/badge.js'
import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/callout/callout.js'
import '@awesome.me/webawesome/dist/components/icon/icon.js'
import { html, nothing } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import type { WalletAddresses } from '../../src/api-types.ts'
import { request } from '../api/client.ts'
import { type ListedNetwork, loadNetworks } from '../api/networks.ts'
import { t } from '../locales/locale.ts'
import { addressCsv, readAllAddresses, type WalletAddress } from '../ui/address-export.ts'
import { saveFile } from '../ui/csv.ts'
import { cutText } from '../ui/cut-text.ts'
import { faultCallout } from '../ui/fault-callout.ts'
import { formatCount, formatMoney, formatTime } from '../ui/format.ts'
import { networkName } from '../ui/network-label.ts'
import { Page } from '../ui/page.ts'

type Data = WalletAddresses & { networks: readonly ListedNetwork[] }

/** @summary The addresses of the merchant's own wallet that payments use on a network, with their current balances. */
@customElement('addresses-page')
export class AddressesPage extends Page<Data> {
  @property() network = ''
  @state() private moreFault: unknown
  @state() private isExporting = false
  @state() private note = ''

  protected heading(): string {
    return t('addresses.title')
  }

  private read(before: number | null, signal?: AbortSignal): Promise<WalletAddresses> {
    const path = `dashboard/wallets/${this.network}/addresses`
    return request<WalletAddresses>(path, { query: { before }, ...(signal && { signal }) })
  }

  protected async load(signal: AbortSignal): Promise<Data> {
    const [page, networks] = await Promise.all([this.read(null, signal), loadNetworks(signal)])
    return { ...page, networks }
  }

  private async more(data: Data): Promise<void> {
    this.moreFault = undefined
    try {
      const older = await this.read(data.next)
      // The list may have been reloaded meanwhile.
      if (this.data !== data) return
      const readAt = data.readAt === null || older.readAt === null ? null : data.readAt
      this.data = { ...data, addresses: [...data.addresses, ...older.addresses], next: older.next, readAt }
    } catch (fault) {
      this.moreFault = fault
    }
  }

  private async export(): Promise<void> {
    if (this.isExporting) return
    this.isExporting = true
    this.note = ''
    try {
      const { addresses, isCut } = await readAllAddresses(this.network)
      saveFile(`addresses-${this.network}.csv`, 'text/csv', addressCsv(addresses))
      if (isCut) this.note = t('addresses.exportCut', formatCount(addresses.length))
      this.fault = undefined
    } catch (fault) {
      this.fault = fault
    }
    this.isExporting = false
  }

  protected override renderActions(): unknown {
    return html`
      <wa-button size="s" appearance="outlined" ?disabled=${this.isExporting} @click=${() => void this.export()}>
        <wa-icon slot="start" name="download"></wa-icon>${t('addresses.export')}
      </wa-button>
    `
  }

  protected renderData(data: Data): unknown {
    const { account, addresses, gap, next, networks } = data
    return html`
      <p><a href="/dashboard/wallets">${t('wallets.title')}</a></p>
      ${account === null ? nothing : html`<p>${t('addresses.text', networkName(this.network, networks))}</p>`}
      ${this.note === '' ? nothing : html`<wa-callout role="status">${this.note}</wa-callout>`}
      ${
        gap === null
          ? nothing
          : html`
              <wa-callout variant="warning" data-gap>
                <wa-icon slot="icon" name="triangle-exclamation"></wa-icon>
                ${t('addresses.gap', formatCount(gap.unpaid), formatCount(gap.searched))}
              </wa-callout>
            `
      }
      ${addresses.length === 0 ? html`<div class="card"><p>${t('addresses.none')}</p></div>` : this.renderTable(data)}
      ${this.moreFault === undefined ? nothing : faultCallout(this.moreFault, () => void this.more(data))}
      ${
        next === null
          ? nothing
          : html`<div><wa-button appearance="outlined" @click=${() => void this.more(data)}>${t('action.more')}</wa-button></div>`
      }
    `
  }

  private renderTable({ addresses, readAt }: Data) {
    return html`
      ${
        readAt === null
          ? html`<wa-callout variant="warning" data-unread>${t('addresses.unread')}</wa-callout>`
          : html`<p class="small quiet" data-read>${t('addresses.readAt', formatTime(readAt))}</p>`
      }
      <div class="card scroll list" role="region" aria-label=${this.heading()} tabindex="0">
        <table>
          <thead>
            <tr>
              <th scope="col">${t('addresses.path')}</th>
              <th scope="col">${t('payments.address')}</th>
              <th scope="col">${t('page.payment')}</th>
              <th scope="col" class="end">${t('payments.received')}</th>
              <th scope="col" class="end">${t('addresses.balance')}</th>
            </tr>
          </thead>
          <tbody>
            ${addresses.map(renderAddress)}
          </tbody>
        </table>
      </div>
    `
  }
}

function renderAddress({ path, address, paymentId, outcome, received, currency, balances }: WalletAddress) {
  const lines = balances ?? []
  return html`
    <tr>
      <td><code>${path}</code></td>
      <td><code>${address}</code></td>
      <td>
        <a href="/dashboard/payments/${paymentId}">${cutText(paymentId)}</a>
        <wa-badge variant=${outcome === 'paid' ? 'success' : 'neutral'} appearance="filled-outlined">
          ${t(`outcome.${outcome}`)}
        </wa-badge>
      </td>
      <td class="end number"><span>${formatMoney(received, currency)}</span></td>
      <td class="end number">
        ${lines.length === 0 ? html`<span>–</span>` : lines.map((one) => html`<div>${formatMoney(one.amount, one.currency)}</div>`)}
      </td>
    </tr>
  `
}
