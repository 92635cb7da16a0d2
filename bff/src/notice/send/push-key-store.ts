import { createECDH } from 'node:crypto'
import type { Runtime } from '../../core/runtime.ts'
import { type Db, sql } from '../../db/db.ts'
import type { Vault } from '../../db/vault.ts'

export type PushKeys = { publicKey: string; privateKey: string }

const sealedRow = 'push keys'
const keyBytes = 32

type Deps = { db: Db; runtime: Runtime; vault: Vault }

/** The keys that identify this service to push services, as base64url. Made at the first use; the private key is stored sealed. */
export async function readPushKeys({ db, runtime, vault }: Deps): Promise<PushKeys> {
  const stored = await load(db)
  if (stored) return open(stored, vault)
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(runtime.randomBytes(keyBytes))
  const publicKey = ecdh.getPublicKey('base64url')
  const privateKey = vault.seal(ecdh.getPrivateKey('base64url'), sealedRow)
  await db.write((tx) =>
    tx.run(sql`
        insert into push_keys (id, public_key, private_key) values (1, ${publicKey}, ${privateKey})
        on conflict (id) do nothing`),
  )
  // Another replica may have stored its keys first.
  const made = await load(db)
  if (!made) throw new Error('The push keys were not stored.')
  return open(made, vault)
}

const load = (db: Db) =>
  db.read((tx) =>
    tx.get<PushKeys>(sql`select public_key as "publicKey", private_key as "privateKey" from push_keys where id = 1`),
  )

const open = ({ publicKey, privateKey }: PushKeys, vault: Vault): PushKeys => ({
  publicKey,
  privateKey: vault.open(privateKey, sealedRow),
})
