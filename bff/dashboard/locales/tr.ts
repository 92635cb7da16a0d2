import '@awesome.me/webawesome/dist/translations/tr.js'
import type { Messages } from './en.ts'
import { account } from './tr/account.ts'
import { audit } from './tr/audit.ts'
import { common } from './tr/common.ts'
import { links } from './tr/links.ts'
import { notices } from './tr/notices.ts'
import { operations } from './tr/operations.ts'
import { payments } from './tr/payments.ts'
import { people } from './tr/people.ts'
import { records } from './tr/records.ts'
import { refunds } from './tr/refunds.ts'
import { sales } from './tr/sales.ts'
import { stores } from './tr/stores.ts'
import { tills } from './tr/tills.ts'

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
