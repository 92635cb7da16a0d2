import '@awesome.me/webawesome/dist/translations/de.js'
import { account } from './de/account.ts'
import { audit } from './de/audit.ts'
import { common } from './de/common.ts'
import { links } from './de/links.ts'
import { notices } from './de/notices.ts'
import { operations } from './de/operations.ts'
import { payments } from './de/payments.ts'
import { people } from './de/people.ts'
import { records } from './de/records.ts'
import { refunds } from './de/refunds.ts'
import { sales } from './de/sales.ts'
import { stores } from './de/stores.ts'
import { tills } from './de/tills.ts'
import type { Messages } from './en.ts'

export const messages: Messages = {
  ...audit,
  ...common,
  ...links,
  ...operations,
  ...payments,
  ...people,
  ...records,
  ...refunds,
  ...sales,
  ...stores,
  ...account,
  ...notices,
  ...tills,
}
