import type { Role } from '../../access/caller.ts'
import { sql, type Tx } from '../../db/db.ts'
import type { MerchantId } from '../../payment/payment.ts'

export type Person = { id: string; merchantId: MerchantId; name: string; role: Role; createdAtMs: number }

export type Passkey = {
  /** Base64url. */
  id: string
  personId: string
  /** COSE key as base64url. */
  publicKey: string
  counter: number
}

export async function insertPerson(tx: Tx, { id, merchantId, name, role, createdAtMs }: Person): Promise<void> {
  await tx.run(sql`
      insert into people (id, merchant_id, name, role, created_at_ms)
      values (${id}, ${merchantId}, ${name}, ${role}, ${createdAtMs})`)
}

/** Undefined when there is no such person, or it was removed. */
export async function loadPerson(tx: Tx, id: string): Promise<Person | undefined> {
  return await tx.get<Person>(sql`
      select id, merchant_id as "merchantId", name, role, created_at_ms as "createdAtMs"
        from people where id = ${id} and removed_at_ms is null`)
}

/** Oldest first, without those who were removed, at most `limit`. */
export async function listPeople(
  tx: Tx,
  merchantId: MerchantId,
  limit: number,
): Promise<(Person & { passkeys: number })[]> {
  return await tx.all(sql`
      select id, merchant_id as "merchantId", name, role, created_at_ms as "createdAtMs",
             (select count(*) from passkeys where person_id = people.id) as passkeys
        from people where merchant_id = ${merchantId} and removed_at_ms is null
       order by created_at_ms, id limit ${limit}`)
}

export async function countOwners(tx: Tx, merchantId: MerchantId): Promise<number> {
  const row = await tx.get<{ count: number }>(sql`
      select count(*) as count from people
       where merchant_id = ${merchantId} and role = 'owner' and removed_at_ms is null`)
  return Number(row?.count ?? 0)
}

/** The person's streams, which end with another role, are notified of the id. */
export async function savePerson(tx: Tx, { id, name, role }: Pick<Person, 'id' | 'name' | 'role'>): Promise<void> {
  tx.notify(id)
  await tx.run(sql`update people set name = ${name}, role = ${role} where id = ${id}`)
}

/** The row stays for the audit log. */
export async function removePerson(tx: Tx, id: string, atMs: number): Promise<void> {
  await tx.run(sql`update people set removed_at_ms = ${atMs} where id = ${id} and removed_at_ms is null`)
}

/** @returns false when a passkey of that id is registered already, by whomever: whoever registers chooses the id. */
export async function insertPasskey(tx: Tx, passkey: Passkey & { createdAtMs: number }): Promise<boolean> {
  const inserted = await tx.run(sql`
      insert into passkeys (id, person_id, public_key, counter, created_at_ms)
      values (${passkey.id}, ${passkey.personId}, ${passkey.publicKey}, ${passkey.counter}, ${passkey.createdAtMs})
      on conflict (id) do nothing`)
  return inserted > 0
}

export async function loadPasskey(tx: Tx, id: string): Promise<Passkey | undefined> {
  return await tx.get<Passkey>(sql`
      select id, person_id as "personId", public_key as "publicKey", counter from passkeys where id = ${id}`)
}

/** Oldest first. */
export async function loadPasskeys(tx: Tx, personId: string): Promise<Passkey[]> {
  return await tx.all<Passkey>(sql`
      select id, person_id as "personId", public_key as "publicKey", counter
        from passkeys where person_id = ${personId} order by created_at_ms, id`)
}

export async function savePasskeyUse(tx: Tx, id: string, counter: number, atMs: number): Promise<void> {
  await tx.run(sql`update passkeys set counter = ${counter}, last_used_at_ms = ${atMs} where id = ${id}`)
}

export async function deletePasskeys(tx: Tx, personId: string): Promise<void> {
  await tx.run(sql`delete from passkeys where person_id = ${personId}`)
}
