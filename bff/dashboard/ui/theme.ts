import { tokenStyles } from '../../src/core/design-tokens.ts'

const key = 'theme'

const dark = matchMedia('(prefers-color-scheme: dark)')
const print = matchMedia('print')

export const themes = ['auto', 'light', 'dark'] as const

export type Theme = (typeof themes)[number]

/** The stored choice; `auto` follows the system. */
export function chosenTheme(): Theme {
  const stored = localStorage.getItem(key)
  return themes.find((theme) => theme === stored) ?? 'auto'
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(key, theme)
  applyTheme()
}

/**
 * Call before the first rendering. The script adds the design tokens as a style sheet, because the service's own pages share their source.
 */
export function startTheme(): void {
  const tokens = new CSSStyleSheet()
  tokens.replaceSync(`:root{${tokenStyles}}`)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, tokens]
  applyTheme()
}

function applyTheme(): void {
  const theme = chosenTheme()
  // Prints on white.
  const isDark = !print.matches && (theme === 'auto' ? dark.matches : theme === 'dark')
  document.documentElement.classList.toggle('wa-dark', isDark)
  document.documentElement.classList.toggle('wa-light', !isDark)
}

for (const media of [dark, print]) media.addEventListener('change', applyTheme)
