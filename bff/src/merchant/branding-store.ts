import { sql, type Tx } from '../db/db.ts'
import { named, orNull, table, text } from '../db/table.ts'
import type { MerchantId } from '../payment/payment.ts'
import { type Branding, noBranding } from './branding.ts'
import type { Logo } from './logo-picture.ts'

const brandings = table<Branding>('merchant_branding', {
  color: orNull(text()),
  logo: named('logo_name', orNull(text())),
  termsUrl: orNull(text()),
  privacyUrl: orNull(text()),
  imprintUrl: orNull(text()),
  supportUrl: orNull(text()),
})

export async function loadBranding(tx: Tx, id: MerchantId): Promise<Branding> {
  const row = await tx.get<object>(sql`select ${brandings.names} from merchant_branding where merchant_id = ${id}`)
  return row ? brandings.parse(row) : noBranding
}

/** @param logo - A new picture, named by `branding`; undefined: the stored one stays if `branding` still names it. */
export async function saveBranding(tx: Tx, id: MerchantId, branding: Branding, logo?: Logo): Promise<void> {
  await tx.run(sql`
      insert into merchant_branding (merchant_id, ${brandings.names}) values (${id}, ${brandings.values(branding)})
      on conflict (merchant_id) do update set ${brandings.excluded}`)
  if (logo || branding.logo === null) {
    const picture = logo?.bytes.toString('base64') ?? null
    await tx.run(sql`update merchant_branding set logo_base64 = ${picture} where merchant_id = ${id}`)
  }
}

/** The picture with this name, of any merchant: the name is the hash of its content. */
export async function loadLogo(tx: Tx, name: string): Promise<Buffer | undefined> {
  const row = await tx.get<{ logo_base64: string }>(sql`
      select logo_base64 from merchant_branding where logo_name = ${name} and logo_base64 is not null limit 1`)
  return row && Buffer.from(row.logo_base64, 'base64')
}
