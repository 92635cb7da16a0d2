import '@awesome.me/webawesome/dist/translations/hi.js'
import type { Messages } from './en.ts'
import { account } from './hi/account.ts'
import { audit } from './hi/audit.ts'
import { common } from './hi/common.ts'
import { links } from './hi/links.ts'
import { notices } from './hi/notices.ts'
import { operations } from './hi/operations.ts'
import { payments } from './hi/payments.ts'
import { people } from './hi/people.ts'
import { records } from './hi/records.ts'
import { refunds } from './hi/refunds.ts'
import { sales } from './hi/sales.ts'
import { stores } from './hi/stores.ts'
import { tills } from './hi/tills.ts'

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
