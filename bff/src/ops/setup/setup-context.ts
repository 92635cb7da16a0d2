import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { z } from 'zod'
import type { Env } from '../../access/context/env.ts'
import type { RateLimits } from '../../access/limits/rate-limit.ts'
import type { Runtime } from '../../core/runtime.ts'
import { type PageOrigin, verifySameOrigin } from '../../dashboard/page/page-origin.ts'
import type { NodeChecker } from './check-node.ts'
import type { CreatedService, SetupPlace } from './create-service.ts'
import type { SetupAccess } from './setup-access.ts'
import type { SetupDraft } from './setup-draft.ts'
import { SetupRefusal } from './setup-refusal.ts'

/** The state that all requests of one set-up share. */
export type SetupContext = {
  access: SetupAccess
  place: SetupPlace
  runtime: Runtime
  limits: RateLimits
  nodes: NodeChecker
  draft: SetupDraft
  /** Null: not created yet. */
  created: CreatedService | null
  isCreating: boolean
  /** Changes of the networks for which the wallets are being verified. No service is created meanwhile. */
  unverified: number
  /** Whether the created service is about to take over. */
  isStarted: boolean
}

/** The session's page, for a request sent from it. @throws {SetupRefusal} */
export function sessionOf(c: Context<Env>, { access }: Pick<SetupContext, 'access'>): PageOrigin {
  const page = access.pageOf((name) => getCookie(c, name))
  verifySameOrigin(c, page)
  return page
}

/** The same, but only while answers can still change. @throws {SetupRefusal} */
export function openPageOf(c: Context<Env>, setup: SetupContext): PageOrigin {
  const page = sessionOf(c, setup)
  if (setup.created !== null) throw new SetupRefusal('ALREADY_CREATED')
  if (setup.isCreating) throw new SetupRefusal('BUSY')
  return page
}

/** The created service, before it starts. @throws {SetupRefusal} */
export function createdOf(c: Context<Env>, setup: SetupContext): CreatedService {
  sessionOf(c, setup)
  if (setup.created === null) throw new SetupRefusal('NOT_CREATED')
  return setup.created
}

/** Whether the operator sits at the machine, or at a tunnel to it. */
export const isLocal = ({ isSecure }: PageOrigin): boolean => !isSecure

/** @throws {SetupRefusal} naming the first wrong field. */
export async function bodyOf<Schema extends z.ZodType>(c: Context<Env>, schema: Schema): Promise<z.infer<Schema>> {
  const parsed = schema.safeParse(await c.req.json().catch(() => undefined))
  if (parsed.success) return parsed.data
  const [field] = parsed.error.issues[0]?.path ?? []
  throw new SetupRefusal('INVALID', field === undefined ? null : String(field))
}
