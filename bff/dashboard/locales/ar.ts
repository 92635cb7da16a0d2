import '@awesome.me/webawesome/dist/translations/ar.js'
import { account } from './ar/account.ts'
import { audit } from './ar/audit.ts'
import { common } from './ar/common.ts'
import { links } from './ar/links.ts'
import { notices } from './ar/notices.ts'
import { operations } from './ar/operations.ts'
import { payments } from './ar/payments.ts'
import { people } from './ar/people.ts'
import { records } from './ar/records.ts'
import { refunds } from './ar/refunds.ts'
import { sales } from './ar/sales.ts'
import { stores } from './ar/stores.ts'
import { tills } from './ar/tills.ts'
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
