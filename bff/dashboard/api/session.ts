import { Fault, request } from './client.ts'

export type Role = 'owner' | 'staff' | 'viewer'

/** An operation of the API by its method and path, such as `post /links/{linkId}/end`. */
export type OperationName = `${'get' | 'post' | 'put' | 'patch' | 'delete'} /${string}`

/** Who is signed in, and for which shop. */
export type Session = {
  person: { id: string; name: string }
  role: Role
  /** `currency`: that the shop counts in; null: not chosen. */
  merchant: { id: string; name: string; logo: string | null; currency: string | null }
  /** What the role may call, as the operations declare it. */
  operations: readonly string[]
}

let current: Session | null = null

const whoOf = ({ person, merchant }: Session): string => `${person.id} ${merchant.id}`

/**
 * The tabs of a browser share its session. When another person signs in, the others reload: they show the first person's name and
 * shop, and their requests would change the second one's.
 */
const tabs = new BroadcastChannel('dashboard-session')
tabs.addEventListener('message', ({ data }) => {
  if (current && data !== whoOf(current)) location.reload()
})

/** @throws {Fault} also when nobody is signed in: 401. */
export async function loadSession(): Promise<Session> {
  current = (await request<{ session: Session }>('dashboard/session')).session
  tabs.postMessage(whoOf(current))
  return current
}

/** Whether the service responded that nobody is signed in. */
export const isSignedOut = (fault: unknown): boolean => fault instanceof Fault && fault.status === 401

/** Whether the signed-in person may call the operation. Pages hide what the service would refuse. */
export const may = (operation: OperationName): boolean => current?.operations.includes(operation) ?? false

/** Null: nobody is signed in. */
export const signedInAs = (): Role | null => current?.role ?? null

/** The signed-in person's id; empty: nobody is signed in. */
export const signedInPerson = (): string => current?.person.id ?? ''

/** The shop's name; empty while nobody is signed in. */
export const merchantName = (): string => current?.merchant.name ?? ''

/** The currency that the shop counts in; null: not chosen. */
export const merchantCurrency = (): string | null => current?.merchant.currency ?? null

/** What a page has yet to send before the session ends. */
export const beforeSignOut = new Set<() => Promise<unknown>>()

/** @throws {Fault} */
export async function signOut(): Promise<void> {
  await Promise.allSettled([...beforeSignOut].map((work) => work()))
  await request('dashboard/session', { method: 'DELETE' })
  current = null
}
