import './ui/icons.ts'
import { loadLocale } from './locales/locale.ts'
import { applyTheme } from './ui/theme.ts'

applyTheme()
const shell = import('./app-shell.ts')
await loadLocale()
await shell
document.body.append(document.createElement('app-shell'))
