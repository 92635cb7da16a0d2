import '@awesome.me/webawesome/dist/translations/pt.js'
import type { Messages } from './en.ts'
import { account } from './pt/account.ts'
import { audit } from './pt/audit.ts'
import { common } from './pt/common.ts'
import { links } from './pt/links.ts'
import { notices } from './pt/notices.ts'
import { operations } from './pt/operations.ts'
import { payments } from './pt/payments.ts'
import { people } from './pt/people.ts'
import { records } from './pt/records.ts'
import { refunds } from './pt/refunds.ts'
import { sales } from './pt/sales.ts'
import { stores } from './pt/stores.ts'
import { tills } from './pt/tills.ts'

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
