import '../ui/icons.ts'
import { loadLocale } from '../locales/locale.ts'
import { startTheme } from '../ui/theme.ts'
import { loadSetupLocale } from './setup-locale.ts'

startTheme()
const page = import('./setup-page.ts')
await loadLocale()
await loadSetupLocale()
await page
document.body.append(document.createElement('setup-page'))
