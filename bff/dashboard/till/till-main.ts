import { startTheme } from '../ui/theme.ts'
import { loadTillLocale } from './till-locale.ts'

startTheme()
const page = import('./till-app.ts')
await loadTillLocale()
await page
document.body.append(document.createElement('till-app'))
