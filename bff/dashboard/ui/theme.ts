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

export function applyTheme(): void {
  const theme = chosenTheme()
  // Prints on white.
  const isDark = !print.matches && (theme === 'auto' ? dark.matches : theme === 'dark')
  document.documentElement.classList.toggle('wa-dark', isDark)
  document.documentElement.classList.toggle('wa-light', !isDark)
}

for (const media of [dark, print]) media.addEventListener('change', applyTheme)
