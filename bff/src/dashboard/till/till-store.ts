import { sql, type Tx } from '../../db/db.ts'
import { fixed, flag, integer, orNull, table, text, type ValuesOf } from '../../db/table.ts'
import type { MerchantId } from '../../payment/payment.ts'

const tills = table('tills', {
  id: fixed(text()),
  merchantId: fixed(text<MerchantId>()),
  isTest: fixed(flag()),
  name: text(),
  priceCurrency: orNull(text()),
  network: orNull(text()),
  currency: orNull(text()),
  pinMac: text(),
  wrongPins: integer(),
  weekWrongPins: integer(),
  weekBeganAtMs: integer(),
  browser: orNull(text()),
  deviceEndsAtMs: orNull(integer()),
  openUntilMs: orNull(integer()),
  lastUsedAtMs: orNull(integer()),
  createdAtMs: fixed(integer()),
})

/** A till that has not been removed. */
export type Till = ValuesOf<typeof tills>

export async function insertTill(tx: Tx, till: Till): Promise<void> {
  await tx.run(sql`insert into tills (${tills.names}) values (${tills.values(till)})`)
}

export async function saveTill(tx: Tx, till: Till): Promise<void> {
  await tx.run(sql`update tills set ${tills.set(till)} where id = ${till.id} and removed_at_ms is null`)
}

/** Oldest first, at most `limit`. */
export async function listTills(tx: Tx, merchantId: MerchantId, limit: number): Promise<Till[]> {
  const rows = await tx.all<object>(sql`
      select * from tills where merchant_id = ${merchantId} and removed_at_ms is null
       order by created_at_ms, id limit ${limit}`)
  return rows.map(tills.parse)
}

/** Undefined if the merchant has no such till. */
export async function loadTill(tx: Tx, merchantId: MerchantId, id: string): Promise<Till | undefined> {
  const row = await tx.get<object>(sql`
      select * from tills where id = ${id} and merchant_id = ${merchantId} and removed_at_ms is null`)
  return row && tills.parse(row)
}

/** A device's till. Undefined if it was removed, paired with another device, or not opened for too long. */
export async function loadTillOfDevice(tx: Tx, deviceSha256: string, nowMs: number): Promise<Till | undefined> {
  const row = await tx.get<object>(sql`
      select * from tills
       where device_sha256 = ${deviceSha256} and device_ends_at_ms > ${nowMs} and removed_at_ms is null`)
  return row && tills.parse(row)
}

/** Stores a link that pairs a device, replacing any earlier one. */
export async function savePairing(tx: Tx, id: string, tokenSha256: string, endsAtMs: number): Promise<void> {
  await tx.run(sql`update tills set pairing_sha256 = ${tokenSha256}, pairing_ends_at_ms = ${endsAtMs} where id = ${id}`)
}

type Device = { deviceSha256: string; browser: string; endsAtMs: number }

/**
 * Uses the link: the device replaces the previous one, and starts locked. Undefined if there is no such link, or it has expired.
 */
export async function usePairing(
  tx: Tx,
  tokenSha256: string,
  device: Device,
  nowMs: number,
): Promise<Till | undefined> {
  const row = await tx.get<object>(sql`
      update tills
         set pairing_sha256 = null, pairing_ends_at_ms = null, device_sha256 = ${device.deviceSha256},
             browser = ${device.browser}, device_ends_at_ms = ${device.endsAtMs}, open_until_ms = null
       where pairing_sha256 = ${tokenSha256} and pairing_ends_at_ms > ${nowMs} and removed_at_ms is null
      returning *`)
  return row && tills.parse(row)
}

/**
 * Counts an attempt before the PIN is compared, so that concurrent attempts all count.
 * @param weekSinceMs - A week that began earlier is over.
 * @returns the attempts so far, consecutive and in the week; undefined if the till is blocked.
 */
export async function countPin(
  tx: Tx,
  id: string,
  { wrongPinsMax, nowMs, weekSinceMs }: { wrongPinsMax: number; nowMs: number; weekSinceMs: number },
): Promise<{ inRow: number; inWeek: number } | undefined> {
  const row = await tx.get<{ wrong_pins: number; week_wrong_pins: number }>(sql`
      update tills
         set wrong_pins = wrong_pins + 1,
             week_wrong_pins = case when week_began_at_ms > ${weekSinceMs} then week_wrong_pins + 1 else 1 end,
             week_began_at_ms = case when week_began_at_ms > ${weekSinceMs} then week_began_at_ms else ${nowMs} end
       where id = ${id} and wrong_pins < ${wrongPinsMax} and removed_at_ms is null
      returning wrong_pins, week_wrong_pins`)
  return row && { inRow: row.wrong_pins, inWeek: row.week_wrong_pins }
}

export async function blockTill(tx: Tx, id: string, wrongPinsMax: number): Promise<void> {
  await tx.run(sql`update tills set wrong_pins = ${wrongPinsMax} where id = ${id}`)
}

/** Opens the till after the correct PIN: that attempt does not count towards the week, earlier wrong ones still do. */
export async function openTill(
  tx: Tx,
  id: string,
  { openUntilMs, deviceEndsAtMs, nowMs }: { openUntilMs: number; deviceEndsAtMs: number; nowMs: number },
): Promise<void> {
  await tx.run(sql`
      update tills
         set wrong_pins = 0, week_wrong_pins = week_wrong_pins - 1, open_until_ms = ${openUntilMs}, device_ends_at_ms = ${deviceEndsAtMs}, last_used_at_ms = ${nowMs}
       where id = ${id}`)
}

/** Extends the till's open time after a use. Does not open a till that was locked in the meantime. */
export async function keepOpen(tx: Tx, id: string, openUntilMs: number, nowMs: number): Promise<void> {
  await tx.run(sql`
      update tills set open_until_ms = ${openUntilMs}, last_used_at_ms = ${nowMs}
       where id = ${id} and open_until_ms > ${nowMs}`)
}

export async function lockTill(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`update tills set open_until_ms = null where id = ${id}`)
}

/** Removes the till; its device and link become invalid. @returns its name; undefined if the merchant has no such till. */
export async function removeTill(
  tx: Tx,
  merchantId: MerchantId,
  id: string,
  nowMs: number,
): Promise<string | undefined> {
  const row = await tx.get<{ name: string }>(sql`
      update tills
         set removed_at_ms = ${nowMs}, device_sha256 = null, pairing_sha256 = null, open_until_ms = null
       where id = ${id} and merchant_id = ${merchantId} and removed_at_ms is null
      returning name`)
  return row?.name
}
