import '@awesome.me/webawesome/dist/translations/id.js'
import type { Messages } from './en.ts'
import { account } from './id/account.ts'
import { audit } from './id/audit.ts'
import { common } from './id/common.ts'
import { links } from './id/links.ts'
import { notices } from './id/notices.ts'
import { operations } from './id/operations.ts'
import { payments } from './id/payments.ts'
import { people } from './id/people.ts'
import { records } from './id/records.ts'
import { refunds } from './id/refunds.ts'
import { sales } from './id/sales.ts'
import { stores } from './id/stores.ts'
import { tills } from './id/tills.ts'

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
