import type { Role } from '../access/context/caller.ts'

const ranks: Readonly<Record<Role, number>> = { viewer: 0, staff: 1, owner: 2 }

/** @param least - The lowest role that an operation allows; `none`: no session may call it. */
export const allows = (least: Role | 'none', role: Role): boolean => least !== 'none' && ranks[role] >= ranks[least]
