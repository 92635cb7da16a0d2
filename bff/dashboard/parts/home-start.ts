import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/icon/icon.js'
import { css, html, nothing } from 'lit'
import type { AttentionReport } from '../../src/api-types.ts'
import { startInTestMode } from '../api/mode.ts'
import { may } from '../api/session.ts'
import { t } from '../locales/locale.ts'

export const startStyles = css`
  .steps {
    display: grid;
    gap: var(--space-4);
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr));
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .steps li {
    display: grid;
    gap: var(--space-2);
    grid-template-rows: auto auto 1fr;
    padding: var(--space-4);
    background: var(--color-raised);
    border-radius: var(--radius-m);
  }
  .steps wa-icon {
    font-size: 1.5rem;
    color: var(--color-accent);
  }
  .steps a {
    font-weight: 600;
  }
  .missing {
    display: grid;
    gap: var(--space-1);
    margin: 0;
    padding-inline-start: 1.25rem;
  }
`

/** First steps of a shop without payments, below the settings that are missing before anybody can pay. */
export function renderStart({ networks, wallets }: AttentionReport['setup']) {
  const isRefusing = wallets === 0 || networks === 0
  const steps = [
    { icon: 'link', href: '/dashboard/links', name: t('home.step.link'), text: t('home.step.link.text') },
    { icon: 'code', href: '/dashboard/developers', name: t('home.step.snippet'), text: t('home.step.snippet.text') },
    {
      icon: 'circle-check',
      href: '/dashboard/links',
      name: t('home.step.test'),
      text: t('home.step.test.text'),
      onClick: startInTestMode,
    },
  ]
  return html`
    <section class="card" aria-labelledby="start">
      <h2 id="start">${t('home.setup')}</h2>
      ${
        isRefusing
          ? html`<ul class="missing">
              ${wallets === 0 ? html`<li><a href="/dashboard/wallets">${t('home.setup.wallet')}</a></li>` : nothing}
              ${networks === 0 ? html`<li>${systemLink(t('home.setup.network'))}</li>` : nothing}
            </ul>`
          : nothing
      }
      <ol class="steps">
        ${steps.map(
          ({ icon, href, name, text, ...step }) => html`
            <li>
              <wa-icon name=${icon}></wa-icon>
              <a href=${href} @click=${'onClick' in step ? step.onClick : nothing}>${name}</a>
              <span class="quiet">${text}</span>
            </li>
          `,
        )}
      </ol>
    </section>
  `
}

const systemLink = (text: string) => (may('get /system') ? html`<a href="/dashboard/system">${text}</a>` : text)
