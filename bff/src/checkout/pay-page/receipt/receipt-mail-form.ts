import { html, raw } from 'hono/html'
import { type PageLanguage, plain } from '../page-language.ts'
import { receiptTexts } from './receipt-texts.ts'

export const mailStyle = `.mail{gap:6px;padding:16px 20px}.mail div{display:flex;flex-wrap:wrap;gap:8px}.mail label{font-weight:600}
.mail input{flex:1 1 12rem;box-sizing:border-box;min-width:0;min-height:44px;padding:0 12px;border:1px solid var(--color-control);border-radius:var(--radius-m);font:inherit;background:var(--color-page);color:inherit}
.mail button{min-height:44px;padding:0 20px;border:0;border-radius:var(--radius-m);font:inherit;font-weight:600;cursor:pointer;background:var(--accent,var(--color-accent));color:var(--sc-on-accent,var(--color-on-accent))}
.mail button:disabled{opacity:.6;cursor:default}.mail p{font-size:14px;color:var(--color-muted)}.mail p.problem{color:var(--color-warning)}
main:has(a.receipt):not([data-stage=paid]) .mail{display:none}@media print{.mail{display:none!important}}`

/**
 * Takes the payment and its client secret from the receipt's own URL, or on the payment's page from the receipt link, which that page's
 * script updates (`page-frame.ts`). Without a client secret the form stays hidden, because nothing can be sent.
 */
export const mailScript = `const form = document.querySelector('form.mail')
const [field, button, text] = ['input', 'button', 'p'].map((name) => form.querySelector(name))
const page = () => document.querySelector('a.receipt') ?? location
const secret = () => /^[\\w-]+/.exec(new URLSearchParams(page().hash.slice(1)).get('client_secret') ?? '')?.[0]
const follow = () => { form.hidden = !secret() }
const report = (name, address = '') => {
  text.textContent = form.dataset[name].replace('{0}', () => '\\u2068' + address + '\\u2069')
  text.classList.toggle('problem', name !== 'sent')
  field.setAttribute('aria-invalid', String(name === 'invalid'))
}
const problems = { RECEIPT_SENT: 'known', MAIL_LIMIT: 'limit', VALIDATION_FAILED: 'invalid' }
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const email = field.value.trim()
  if (email === '' || field.validity.typeMismatch) return report('invalid'), field.focus()
  button.disabled = true
  try {
    const answer = await fetch('/api/v1/payments/' + page().pathname.split('/')[2] + '/receipt-mail', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, clientSecret: secret(), language: document.documentElement.lang }),
    })
    if (!answer.ok) return report(problems[(await answer.json()).code] ?? 'failed')
    report('sent', email)
    form.querySelector('div').remove()
  } catch {
    report('failed')
  } finally {
    button.disabled = false
  }
})
follow()
addEventListener('hashchange', follow)
addEventListener('sc-status-change', follow)`

/** The form by which the customer requests the receipt by e-mail, once. */
export function mailForm(language: PageLanguage) {
  const texts = receiptTexts[language]
  return html`<form class="card mail" hidden novalidate data-sent="${texts.mailSent}" data-known="${texts.mailKnown}" data-limit="${texts.mailLimit}" data-invalid="${texts.mailInvalid}" data-failed="${texts.mailFailed}">
<label for="mail">${texts.mail}</label>
<div><input id="mail" type="email" name="email" autocomplete="email" inputmode="email" maxlength="254" dir="ltr" placeholder="${plain(texts.mailAddress)}" aria-describedby="mail-text"><button>${texts.mailSend}</button></div>
<p id="mail-text" role="status">${texts.mailOnce}</p></form>
<script type="module">${raw(mailScript)}</script>`
}
