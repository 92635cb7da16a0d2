import type { Role } from '../../access/context/caller.ts'
import { PaymentError, ValidationError } from '../../core/errors.ts'
import type { Networks } from '../../core/families.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Tx } from '../../db/db.ts'
import { hasAccount } from '../../merchant/account-store.ts'
import type { MerchantId } from '../../payment/payment.ts'
import { type Invitation, insertInvitation } from './invitation-store.ts'
import { sha256 } from './passkeys.ts'
import { listPeople, loadPerson } from './people-store.ts'

const minuteMs = 60_000
const invitationMs = 10 * minuteMs
/** A demo link is valid for a day. */
const demoMs = 24 * 60 * minuteMs
const tokenBytes = 32

/** More than any shop needs. */
export const peopleMax = 200
export const nameMax = 100

/** One error, whatever is wrong with a link. */
export const invitationEnded = () =>
  new PaymentError(
    'INVITATION_ENDED',
    'The link was used, has expired or is incomplete. Links are valid once, for ten minutes. Ask for a new one.',
  )

/** The inviter's name in records of invitations created by a command. */
export const commandLineName = 'command line'

/**
 * Allows links without a passkey only where no real money is at risk. @throws {ValidationError} naming a network with real money.
 */
export function verifyTestNetworks(networks: Networks): void {
  const real = [...networks.values()].find(({ isTestnet }) => !isTestnet)
  if (real) throw new ValidationError(`the demo's link is for test networks only, and ${real.name} has real money`)
}

type Asked = {
  merchantId: MerchantId
  role: Role
  name: string
  /** The person whose lost passkey is replaced; null: a new person. */
  personId: string | null
  /** The person who invites; null: the command line. */
  invitedBy: string | null
  isDemo?: boolean
}

/**
 * Creates a link's token; only its hash is stored. `name` and `role`: of the invited person.
 * @throws {ValidationError} when there is no such merchant or person.
 */
export async function invite(
  tx: Tx,
  runtime: Runtime,
  asked: Asked,
): Promise<Pick<Invitation, 'name' | 'role' | 'endsAtMs'> & { id: string; token: string }> {
  const { merchantId, personId, invitedBy, isDemo = false } = asked
  if (!(await hasAccount(tx, merchantId))) throw new ValidationError(`there is no merchant "${merchantId}"`)
  const person = personId === null ? undefined : await loadPerson(tx, personId)
  if (personId !== null && person?.merchantId !== merchantId) {
    throw new ValidationError(`there is no person "${personId.slice(0, 60)}" of this merchant`)
  }
  if (person === undefined && (await listPeople(tx, merchantId, peopleMax)).length >= peopleMax) {
    throw new ValidationError(`a merchant has at most ${peopleMax} people`)
  }
  const token = Buffer.from(runtime.randomBytes(tokenBytes)).toString('base64url')
  const nowMs = runtime.nowMs()
  const endsAtMs = nowMs + (isDemo ? demoMs : invitationMs)
  const invitation: Invitation = {
    tokenSha256: sha256(token),
    merchantId,
    personId,
    name: person?.name ?? asked.name,
    role: person?.role ?? asked.role,
    isDemo,
    invitedBy,
    createdAtMs: nowMs,
    endsAtMs,
  }
  await insertInvitation(tx, invitation)
  return { id: invitation.tokenSha256, token, endsAtMs, name: invitation.name, role: invitation.role }
}

/** The token is in the fragment, which browsers send to no server, so that no log contains it. */
export const linkOf = (origin: string, token: string, isDemo = false): string =>
  `${origin}/dashboard#${isDemo ? 'demo' : 'invitation'}=${token}`
