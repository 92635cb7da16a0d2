import '@awesome.me/webawesome/dist/translations/en.js'
import type { Messages } from './en.ts'
import { account } from './vi/account.ts'
import { audit } from './vi/audit.ts'
import { common } from './vi/common.ts'
import { links } from './vi/links.ts'
import { notices } from './vi/notices.ts'
import { operations } from './vi/operations.ts'
import { payments } from './vi/payments.ts'
import { people } from './vi/people.ts'
import { records } from './vi/records.ts'
import { refunds } from './vi/refunds.ts'
import { sales } from './vi/sales.ts'
import { stores } from './vi/stores.ts'
import { tills } from './vi/tills.ts'

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
