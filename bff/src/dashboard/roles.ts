import { type GuardedField, guardedFields, type Role } from '../access/caller.ts'

/**
 * The least role that is shown a field, in whatever answer it stands. With a client secret somebody names the address of a refund and
 * ends the payment: a viewer does neither.
 */
const fieldRoles: Readonly<Record<GuardedField, Role>> = {
  'payment.clientSecret': 'staff',
  'payment.paymentLink': 'staff',
  'link.url': 'staff',
}

const ranks: Readonly<Record<Role, number>> = { viewer: 0, staff: 1, owner: 2 }

/** @param least - The least role that an operation declares; `none`: no session may call it. */
export const allows = (least: Role | 'none', role: Role): boolean => least !== 'none' && ranks[role] >= ranks[least]

export const hiddenFrom = (role: Role): ReadonlySet<GuardedField> =>
  new Set(guardedFields.filter((field) => !allows(fieldRoles[field], role)))
