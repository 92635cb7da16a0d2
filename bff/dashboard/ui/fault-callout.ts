import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/callout/callout.js'
import '@awesome.me/webawesome/dist/components/icon/icon.js'
import { WebAuthnError } from '@simplewebauthn/browser'
import { html, nothing } from 'lit'
import { Fault } from '../api/client.ts'
import { signedInAs } from '../api/session.ts'
import { currentLanguage, t } from '../locales/locale.ts'
import { tRefusal } from '../locales/refusal-texts.ts'
import { formatSeconds } from './format.ts'
import { technicalDetails } from './technical-details.ts'

/** An error and its fix; `details`: the service's own English sentence, if `text` is another one. */
type Explained = { text: string; advice: string; details?: string }

function explain(fault: Fault): Explained {
  const { code, status } = fault
  if (status === 0) {
    const advice = fault.isWrite ? t('fault.unsure.advice') : t('fault.unreachable.advice')
    return { text: t('fault.unreachable'), advice }
  }
  // Some routes respond 500 for an unknown payment, which a repeat would not find either.
  if (code === 'PAYMENT_NOT_FOUND') return { text: t('fault.noPayment'), advice: t('fault.noPayment.advice') }
  if (code === 'ROLE_NOT_ALLOWED') return { text: t('fault.forbidden'), advice: adviceOfRole() }
  if (code === 'NO_PASSKEY') return { text: t('passkey.none'), advice: '' }
  if (status === 429) {
    return { text: t('fault.limited'), advice: t('fault.limited.advice', formatSeconds(fault.retryAfterSeconds || 1)) }
  }
  // Every other refusal contains its own reason and advice, which no owner can change.
  if (status === 403) return { ...sentence(fault, t('fault.forbidden')), advice: '' }
  if (status === 404) return { ...sentence(fault), advice: t('fault.missing.advice') }
  // Nothing that was entered is wrong: the sentence says what is in the way.
  if (status === 409) return { ...sentence(fault), advice: '' }
  if (status < 500) return { ...sentence(fault), advice: t('fault.refused.advice') }
  return { ...sentence(fault), advice: t('fault.service.advice', fault.requestId) }
}

/** The service's sentence is English, with the values. Readers of other languages get the sentence of the code first. */
function sentence({ code, status, message }: Fault, general = t('fault.refused')): Pick<Explained, 'text' | 'details'> {
  if (currentLanguage() === 'en') return { text: message || general }
  return { text: tRefusal(code, status) ?? general, details: message }
}

/** Advises whom to ask instead. An owner cannot be referred to an owner. */
function adviceOfRole(): string {
  const role = signedInAs()
  if (role === 'owner') return t('fault.forbidden.owner')
  const advice = t('fault.forbidden.advice')
  return role === null ? advice : `${t('fault.forbidden.role', t(`role.${role}`))} ${advice}`
}

/** Whether a repeat would be refused again, because the thing does not exist or is not allowed. */
const isLasting = (fault: unknown): boolean =>
  fault instanceof Fault && (fault.code === 'PAYMENT_NOT_FOUND' || fault.status === 403 || fault.status === 404)

/** Whether the person declined the passkey prompt. */
const isCancelled = (fault: unknown): boolean => fault instanceof WebAuthnError || fault instanceof DOMException

/**
 * The only display of refusals.
 * @param retry - Shown as a button if a retry is safe.
 */
export function faultCallout(fault: unknown, retry?: () => void) {
  if (isCancelled(fault)) return html`<wa-callout variant="warning" role="alert">${t('people.cancelled')}</wa-callout>`
  const {
    text,
    advice,
    details = '',
  }: Explained = fault instanceof Fault ? explain(fault) : { text: String(fault), advice: '' }
  return html`
    <wa-callout variant="danger" role="alert">
      <wa-icon slot="icon" name="triangle-exclamation"></wa-icon>
      <strong>${t('fault.title')}</strong>
      <div>${text}</div>
      ${advice === '' ? nothing : html`<div>${advice}</div>`}
      ${details === '' ? nothing : technicalDetails(details)}
      ${
        fault instanceof Fault && fault.code === 'NO_PASSKEY'
          ? html`<div><a href="/dashboard/people">${t('passkey.add')}</a></div>`
          : nothing
      }
      ${
        retry && !isLasting(fault)
          ? html`<wa-button size="s" appearance="outlined" @click=${retry}>${t('action.retry')}</wa-button>`
          : nothing
      }
    </wa-callout>
  `
}
