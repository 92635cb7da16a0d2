import '../ui/icons.ts'
import { loadLocale } from '../locales/locale.ts'
import { applyTheme } from '../ui/theme.ts'
import { loadSetupLocale } from './setup-locale.ts'

applyTheme()
const page = import('./setup-page.ts')
await loadLocale()
await loadSetupLocale()
await page
document.body.append(document.createElement('setup-page'))
