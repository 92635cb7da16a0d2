import './ui/icons.ts'
import { loadLocale } from './locales/locale.ts'
import { startTheme } from './ui/theme.ts'

startTheme()
const shell = import('./app-shell.ts')
await loadLocale()
await shell
document.body.append(document.createElement('app-shell'))
