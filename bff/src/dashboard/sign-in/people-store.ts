import type { Role } from '../../access/context/caller.ts'
import { sql, type Tx } from '../../db/db.ts'
import { integer, orNull, table, text, type ValuesOf } from '../../db/table.ts'
import type { MerchantId } from '../../payment/payment.ts'

const people = table('people', {
  id: text(),
  merchantId: text<MerchantId>(),
  name: text(),
  role: text<Role>(),
  createdAtMs: integer(),
})
export type Person = ValuesOf<typeof people>

const passkeys = table('passkeys', {
  /** Base64url. */
  id: text(),
  personId: text(),
  /** COSE key as base64url. */
  publicKey: text(),
  counter: integer(),
})
export type Passkey = ValuesOf<typeof passkeys>

const shownPasskeys = table('passkeys', {
  id: text(),
  name: orNull(text()),
  createdAtMs: integer(),
  lastUsedAtMs: orNull(integer()),
})
export type ShownPasskey = ValuesOf<typeof shownPasskeys>

export async function insertPerson(tx: Tx, person: Person): Promise<void> {
  await tx.run(sql`insert into people (${people.names}) values (${people.values(person)})`)
}

/** Undefined if there is no such person, or they were removed. */
export async function loadPerson(tx: Tx, id: string): Promise<Person | undefined> {
  const row = await tx.get<object>(sql`select * from people where id = ${id} and removed_at_ms is null`)
  return row && people.parse(row)
}

/** Oldest first, without removed people, at most `limit`. */
export async function listPeople(
  tx: Tx,
  merchantId: MerchantId,
  limit: number,
): Promise<(Person & { passkeys: number; seenAtMs: number | null })[]> {
  const rows = await tx.all<{ passkeys: number; seen_at_ms: number | null }>(sql`
      select ${people.names}, (select count(*) from passkeys where person_id = people.id) as passkeys,
             (select max(at_ms) from (
                select coalesce(last_used_at_ms, created_at_ms) as at_ms from passkeys where person_id = people.id
                union all
                select created_at_ms as at_ms from dashboard_sessions where person_id = people.id) as seen) as seen_at_ms
        from people where merchant_id = ${merchantId} and removed_at_ms is null
       order by created_at_ms, id limit ${limit}`)
  return rows.map((row) => ({ ...people.parse(row), passkeys: row.passkeys, seenAtMs: row.seen_at_ms }))
}

export async function countOwners(tx: Tx, merchantId: MerchantId): Promise<number> {
  const row = await tx.get<{ count: number }>(sql`
      select count(*) as count from people
       where merchant_id = ${merchantId} and role = 'owner' and removed_at_ms is null`)
  return Number(row?.count ?? 0)
}

/** Notifies the person's streams by their id: a stream ends when the role changes. */
export async function savePerson(tx: Tx, { id, name, role }: Pick<Person, 'id' | 'name' | 'role'>): Promise<void> {
  tx.notify(id)
  await tx.run(sql`update people set name = ${name}, role = ${role} where id = ${id}`)
}

/** Keeps the row for the audit log. */
export async function removePerson(tx: Tx, id: string, atMs: number): Promise<void> {
  await tx.run(sql`update people set removed_at_ms = ${atMs} where id = ${id} and removed_at_ms is null`)
}

/** @returns false if anyone has already registered a passkey with this id; the registering client chooses the id. */
export async function insertPasskey(tx: Tx, passkey: Passkey & { createdAtMs: number }): Promise<boolean> {
  const inserted = await tx.run(sql`
      insert into passkeys (${passkeys.names}, created_at_ms) values (${passkeys.values(passkey)}, ${passkey.createdAtMs})
      on conflict (id) do nothing`)
  return inserted > 0
}

export async function loadPasskey(tx: Tx, id: string): Promise<Passkey | undefined> {
  const row = await tx.get<object>(sql`select * from passkeys where id = ${id}`)
  return row && passkeys.parse(row)
}

/** Oldest first. */
export async function loadPasskeys(tx: Tx, personId: string): Promise<Passkey[]> {
  const rows = await tx.all<object>(
    sql`select * from passkeys where person_id = ${personId} order by created_at_ms, id`,
  )
  return rows.map(passkeys.parse)
}

/** @returns false if the person no longer has the passkey. */
export async function savePasskeyUse(
  tx: Tx,
  { id, personId }: Pick<Passkey, 'id' | 'personId'>,
  counter: number,
  atMs: number,
): Promise<boolean> {
  const saved = await tx.run(sql`
      update passkeys set counter = ${counter}, last_used_at_ms = ${atMs} where id = ${id} and person_id = ${personId}`)
  return saved > 0
}

export async function deletePasskeys(tx: Tx, personId: string): Promise<void> {
  await tx.run(sql`delete from passkeys where person_id = ${personId}`)
}

/** A person's passkeys, oldest first. */
export async function listPasskeys(tx: Tx, personId: string): Promise<ShownPasskey[]> {
  const rows = await tx.all<object>(sql`
      select ${shownPasskeys.names} from passkeys where person_id = ${personId} order by created_at_ms, id`)
  return rows.map(shownPasskeys.parse)
}

/** @returns false if the person has no such passkey. */
export async function namePasskey(tx: Tx, personId: string, id: string, name: string): Promise<boolean> {
  return (await tx.run(sql`update passkeys set name = ${name} where id = ${id} and person_id = ${personId}`)) > 0
}

/** @returns false if the person has no such passkey. */
export async function deletePasskey(tx: Tx, personId: string, id: string): Promise<boolean> {
  return (await tx.run(sql`delete from passkeys where id = ${id} and person_id = ${personId}`)) > 0
}
