import '@awesome.me/webawesome/dist/translations/es.js'
import type { Messages } from './en.ts'
import { account } from './es/account.ts'
import { audit } from './es/audit.ts'
import { common } from './es/common.ts'
import { links } from './es/links.ts'
import { notices } from './es/notices.ts'
import { operations } from './es/operations.ts'
import { payments } from './es/payments.ts'
import { people } from './es/people.ts'
import { records } from './es/records.ts'
import { refunds } from './es/refunds.ts'
import { sales } from './es/sales.ts'
import { stores } from './es/stores.ts'
import { tills } from './es/tills.ts'

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
