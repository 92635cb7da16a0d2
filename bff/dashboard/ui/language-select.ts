import { html } from 'lit'
import { chooseLanguage, currentLanguage, languageNames, t } from '../locales/locale.ts'

/** A select of the languages, each by its own name. @param beforeReload - Called before the choice reloads the page. */
export function languageSelect(beforeReload?: () => void) {
  const choose = (event: Event) => {
    beforeReload?.()
    chooseLanguage((event.target as HTMLSelectElement).value)
  }
  return html`
    <label class="field">
      ${t('app.language')}
      <select @change=${choose}>
        ${Object.entries(languageNames).map(
          ([code, name]) =>
            html`<option value=${code} lang=${code} ?selected=${code === currentLanguage()}>${name}</option>`,
        )}
      </select>
    </label>
  `
}
