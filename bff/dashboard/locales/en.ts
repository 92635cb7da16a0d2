import '@awesome.me/webawesome/dist/translations/en.js'
import { account } from './en/account.ts'
import { audit } from './en/audit.ts'
import { common } from './en/common.ts'
import { links } from './en/links.ts'
import { notices } from './en/notices.ts'
import { operations } from './en/operations.ts'
import { payments } from './en/payments.ts'
import { people } from './en/people.ts'
import { records } from './en/records.ts'
import { refunds } from './en/refunds.ts'
import { sales } from './en/sales.ts'
import { stores } from './en/stores.ts'
import { tills } from './en/tills.ts'

/** One file per area of the dashboard. The other languages have the same keys: the compiler reports gaps. */
export const messages = {
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

export type Messages = { readonly [Key in keyof typeof messages]: string }
