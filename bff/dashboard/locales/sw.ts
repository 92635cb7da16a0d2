import '@awesome.me/webawesome/dist/translations/en.js'
import type { Messages } from './en.ts'
import { account } from './sw/account.ts'
import { audit } from './sw/audit.ts'
import { common } from './sw/common.ts'
import { links } from './sw/links.ts'
import { notices } from './sw/notices.ts'
import { operations } from './sw/operations.ts'
import { payments } from './sw/payments.ts'
import { people } from './sw/people.ts'
import { records } from './sw/records.ts'
import { refunds } from './sw/refunds.ts'
import { sales } from './sw/sales.ts'
import { stores } from './sw/stores.ts'
import { tills } from './sw/tills.ts'

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
