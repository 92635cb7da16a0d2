import { Command, Option } from '@commander-js/extra-typings'
import { roles } from '../../access/context/caller.ts'
import { ValidationError } from '../../core/errors.ts'
import { type AuditEntry, insertAuditEntry } from '../../dashboard/audit/audit-store.ts'
import { deleteInvitation, listInvitations } from '../../dashboard/sign-in/invitation-store.ts'
import {
  commandLineName,
  invite,
  linkOf,
  nameMax,
  peopleMax,
  verifyTestNetworks,
} from '../../dashboard/sign-in/invitations.ts'
import type { Tx } from '../../db/db.ts'
import { loadAccounts } from '../../merchant/account-store.ts'
import type { MerchantId } from '../../payment/payment.ts'
import type { Config } from '../config/config.ts'
import { type Cli, jsonOption } from './cli.ts'
import { table } from './text.ts'
import { answerFromDb } from './with-db.ts'

/** People who sign in to the dashboard. */
export function dashboardCommand(cli: Cli) {
  const dashboard = new Command('dashboard').description("the merchant's page, and the people who sign in to it")
  const { runtime } = cli

  dashboard
    .command('invite')
    .description('print a link, valid once within ten minutes, with which a person creates a passkey and signs in')
    .argument('[merchant-id]', 'optional if there is only one merchant')
    .addOption(new Option('--role <role>', "the person's rights").choices(roles).default('owner' as const))
    .option('--name <name>', 'name of the person, for the audit log', 'Owner')
    .option('--person <id>', 'replace the lost passkey of this person, and end its sessions')
    .option('--demo', 'a link that signs in without a passkey for a day; refused unless all networks are test networks')
    .option(...jsonOption)
    .action((merchant, options) =>
      answerFromDb(cli, options, async ({ config, db }) => {
        const { role, name, person: personId = null } = options
        const isDemo = options.demo === true
        if (name.trim() === '' || name.length > nameMax) {
          throw new ValidationError(`name must have 1 to ${nameMax} characters`)
        }
        if (!config.parts.dashboard) {
          throw new ValidationError('the dashboard is switched off: remove parts.dashboard from the configuration')
        }
        if (isDemo) verifyTestNetworks(config.networks)
        if (isDemo && personId !== null) throw new ValidationError('--demo creates its own person: omit --person')
        const { id, token, endsAtMs } = await db.write(async (tx) => {
          const merchantId = await merchantOf(tx, merchant)
          const made = await invite(tx, runtime, {
            merchantId,
            role,
            name: name.trim(),
            personId,
            invitedBy: null,
            isDemo,
          })
          const entry = { subject: made.name, before: null, after: made.role }
          await record(tx, merchantId, { action: 'person.invited', ...entry })
          return made
        })
        const link = linkOf(originOf(config), token, isDemo)
        const endsAt = new Date(endsAtMs).toISOString()
        return { json: { id, link, endsAt }, text: `${link}\nValid ${isDemo ? '' : 'once, '}until ${endsAt}.` }
      }),
    )

  dashboard
    .command('invitations')
    .description('list the invitations that can still be accepted, newest first, with their ids')
    .argument('[merchant-id]', 'optional if there is only one merchant')
    .option(...jsonOption)
    .action((merchant, options) =>
      answerFromDb(cli, options, async ({ db }) => {
        const found = await db.read(async (tx) =>
          listInvitations(tx, await merchantOf(tx, merchant), runtime.nowMs(), peopleMax),
        )
        const invitations = found.map(({ tokenSha256: id, name, role, inviterName, endsAtMs }) => ({
          id,
          name,
          role,
          invitedBy: inviterName ?? commandLineName,
          endsAt: new Date(endsAtMs).toISOString(),
        }))
        const rows = invitations.map(({ id, name, role, invitedBy, endsAt }) => [id, name, role, invitedBy, endsAt])
        return { json: { invitations }, text: table(['id', 'name', 'role', 'invited by', 'ends'], rows) }
      }),
    )

  dashboard
    .command('revoke')
    .description('revoke an invitation: its link stops working')
    .argument('<invitation-id>', 'as listed by `dashboard invitations`')
    .argument('[merchant-id]', 'optional if there is only one merchant')
    .option(...jsonOption)
    .action((id, merchant, options) =>
      answerFromDb(cli, options, async ({ db }) => {
        const name = await db.write(async (tx) => {
          const merchantId = await merchantOf(tx, merchant)
          const invited = await deleteInvitation(tx, merchantId, id, runtime.nowMs())
          if (invited === undefined) throw new ValidationError(`there is no open invitation "${id.slice(0, 64)}"`)
          await record(tx, merchantId, { action: 'invitation.takenBack', subject: invited, before: null, after: null })
          return invited
        })
        return { json: { id, name }, text: `The invitation of ${name} was revoked.` }
      }),
    )

  type Entry = Pick<AuditEntry, 'action' | 'subject' | 'before' | 'after'>

  async function record(tx: Tx, merchantId: MerchantId, entry: Entry): Promise<void> {
    const who = { personId: null, personName: commandLineName, address: '' }
    await insertAuditEntry(tx, { merchantId, atMs: runtime.nowMs(), ...who, ...entry })
  }

  return dashboard
}

/** @throws {ValidationError} when no merchant is named and there are none or several. */
async function merchantOf(tx: Tx, named: string | undefined): Promise<MerchantId> {
  if (named !== undefined) return named as MerchantId
  const [only, ...others] = await loadAccounts(tx, 2)
  if (only && others.length === 0) return only.id
  throw new ValidationError(only ? 'there are several merchants: name one by its id' : 'there is no merchant')
}

/** The origin for passkeys: the https URL or, on this machine, `localhost`, because an IP address is not a domain. */
function originOf({ publicUrl, port }: Config): string {
  if (publicUrl?.startsWith('https:')) return new URL(publicUrl).origin
  return `http://localhost:${publicUrl === null ? port : new URL(publicUrl).port || '80'}`
}
