import '@awesome.me/webawesome/dist/translations/fr.js'
import type { Messages } from './en.ts'
import { account } from './fr/account.ts'
import { audit } from './fr/audit.ts'
import { common } from './fr/common.ts'
import { links } from './fr/links.ts'
import { notices } from './fr/notices.ts'
import { operations } from './fr/operations.ts'
import { payments } from './fr/payments.ts'
import { people } from './fr/people.ts'
import { records } from './fr/records.ts'
import { refunds } from './fr/refunds.ts'
import { sales } from './fr/sales.ts'
import { stores } from './fr/stores.ts'
import { tills } from './fr/tills.ts'

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
