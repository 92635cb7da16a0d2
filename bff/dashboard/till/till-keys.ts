import { html, nothing } from 'lit'
import { formatSum } from '../ui/format.ts'
import { isZero, type KeyedAmount, textOf } from './keyed-amount.ts'
import { sumClass } from './till-format.ts'
import { s } from './till-locale.ts'

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9']

const key = (label: string, press: () => void, describe?: string) =>
  html`<button type="button" class="key" aria-label=${describe ?? label} @click=${press}>${label}</button>`

type Keypad = { amount: KeyedAmount; currency: string; press: (key: string) => void; charge: () => void }

/** The amount, the keys, and one button. */
export function renderKeypad({ amount, currency, press, charge }: Keypad) {
  const sum = formatSum(textOf(amount), currency)
  return html`
    <output class="${sumClass(sum)} ${isZero(amount) ? 'zero' : ''}" aria-live="polite"><bdi>${sum}</bdi></output>
    <div class="keys">
      ${digits.map((digit) => key(digit, () => press(digit)))} ${key('00', () => press('00'))}
      ${key('0', () => press('0'))} ${key('⌫', () => press('Backspace'), s('key.back'))}
    </div>
    <div class="row">
      <button type="button" class="second" ?disabled=${isZero(amount)} @click=${() => press('Escape')}>${s('key.clear')}</button>
      <button type="button" class="first" ?disabled=${isZero(amount)} @click=${charge}>${s('charge', sum)}</button>
    </div>
  `
}

type Pin = { length: number; of: number; attemptsLeft: number | null; press: (key: string) => void }

/** Shows how many digits were entered, never which. */
export function renderPin({ length, of, attemptsLeft, press }: Pin) {
  return html`
    <h2>${s('pin.title')}</h2>
    <div class="dots" role="img" aria-label="${length} / ${of}">
      ${Array.from({ length: of }, (_, at) => html`<i class=${at < length ? 'on' : ''}></i>`)}
    </div>
    <p class="wrong" role="alert">${attemptsLeft === null ? nothing : s('pin.wrong', attemptsLeft)}</p>
    <div class="keys">
      ${digits.map((digit) => key(digit, () => press(digit)))} <span></span> ${key('0', () => press('0'))}
      ${key('⌫', () => press('Backspace'), s('key.back'))}
    </div>
  `
}

export function renderMessage(title: string, text: string, action?: { label: string; act: () => void }) {
  return html`
    <div class="message">
      <h2>${title}</h2>
      <p>${text}</p>
      ${action ? html`<button type="button" class="first" @click=${action.act}>${action.label}</button>` : nothing}
    </div>
  `
}
