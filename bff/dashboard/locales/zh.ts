import '@awesome.me/webawesome/dist/translations/zh-cn.js'
import type { Messages } from './en.ts'
import { account } from './zh/account.ts'
import { audit } from './zh/audit.ts'
import { common } from './zh/common.ts'
import { links } from './zh/links.ts'
import { notices } from './zh/notices.ts'
import { operations } from './zh/operations.ts'
import { payments } from './zh/payments.ts'
import { people } from './zh/people.ts'
import { records } from './zh/records.ts'
import { refunds } from './zh/refunds.ts'
import { sales } from './zh/sales.ts'
import { stores } from './zh/stores.ts'
import { tills } from './zh/tills.ts'

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
