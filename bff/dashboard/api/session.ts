import { Fault, request } from './client.ts'

/** What a role may do: owners everything; staff refunds, links and repeated deliveries; viewers only read. */
export type Role = 'owner' | 'staff' | 'viewer'

/** Who is signed in, and for which shop. */
export type Session = {
  person: { id: string; name: string }
  role: Role
  merchant: { id: string; name: string }
}

let current: Session | null = null

/** @throws {Fault} also when nobody is signed in: 401. */
export async function loadSession(): Promise<Session> {
  current = (await request<{ session: Session }>('dashboard/session')).session
  return current
}

/** Whether the service responded that nobody is signed in. */
export const isSignedOut = (fault: unknown): boolean => fault instanceof Fault && fault.status === 401

/** Actions that the server refuses to viewers are hidden. */
export const mayWrite = (): boolean => current?.role === 'owner' || current?.role === 'staff'

export const isOwner = (): boolean => current?.role === 'owner'

/** @throws {Fault} */
export async function signOut(): Promise<void> {
  await request('dashboard/session', { method: 'DELETE' })
  current = null
}
