export type { MessageKey as WordName } from '../locales/en.ts'
export { formatAmount as sayAmount, t as say } from '../locales/locale.ts'

import type { MessageKey } from '../locales/en.ts'

export type Words = object
export const speak = (_: unknown): void => {}
export const word = (name: MessageKey): MessageKey => name
