import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/icon/icon.js'
import { html, nothing } from 'lit'
import type { PaymentLink } from '../../src/api-types.ts'
import { merchantName } from '../api/session.ts'
import { t } from '../locales/locale.ts'
import '../ui/copy-button.ts'
import { type QrCode, qrPicture } from '../ui/qr-picture.ts'
import { saveQrPng } from '../ui/qr-png.ts'

/** Whether the browser can share the link with another program. */
export const canShare = (): boolean => 'share' in navigator

/** Opens the browser's share dialog. Closing the dialog is not an error. */
export async function shareLink({ url, description }: PaymentLink): Promise<void> {
  if (url === null) return
  await navigator.share({ title: merchantName(), ...(description && { text: description }), url }).catch(() => {})
}

/** One link to share: its code, URL, and buttons to copy, share, download and print. In print also the merchant's name. */
export function linkCode(link: PaymentLink, qr: QrCode | null, money: string) {
  const { id, url } = link
  if (url === null) return html`<p>${t('links.noUrl')}</p>`
  return html`
    <div class="stack link-code">
      <p class="paper"><bdi>${merchantName()}</bdi></p>
      <p><strong class="number">${money}</strong></p>
      ${qr ? qrPicture(qr, t('links.qr.alt')) : nothing}
      <p class="small"><a href=${url} target="_blank" rel="noreferrer">${url}</a></p>
      <div class="row">
        <copy-text text=${url} label=${t('links.address')} look="main"></copy-text>
        ${
          canShare()
            ? html`<wa-button appearance="outlined" @click=${() => shareLink(link)}>
                <wa-icon slot="start" name="share"></wa-icon>${t('links.share')}
              </wa-button>`
            : nothing
        }
        <wa-button appearance="outlined" ?disabled=${qr === null} @click=${() => qr && saveQrPng(qr, `${id}.png`)}>
          <wa-icon slot="start" name="download"></wa-icon>${t('links.download')}
        </wa-button>
        <wa-button appearance="outlined" @click=${() => print()}>
          <wa-icon slot="start" name="print"></wa-icon>${t('links.print')}
        </wa-button>
      </div>
    </div>
  `
}
