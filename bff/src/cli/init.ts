import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { knownNetworks } from '../chain/known-networks.ts'
import { loadConfig } from '../config.ts'
import { ValidationError } from '../errors.ts'
import { createMerchant, type NewMerchant } from '../merchant/create.ts'
import type { Runtime } from '../runtime.ts'
import { keyOfEnvironment, writeSecret } from '../secrets/secrets-file.ts'

import { newOperatorKey, operatorAddress } from '../settlement/operator.ts'
import { newWebhookSecret } from '../webhook/sign.ts'
import { withVault } from './with-db.ts'

/** Everything that is asked. `rpcUrls` and `wallets` by network. */
export type Answers = {
  folder: string
  name: string
  rpcUrls: ReadonlyMap<string, string>
  wallets: ReadonlyMap<string, string>
  /** Null: the merchant's own wallet, for who hosts it for one shop. */
  platformWallet: string | null
  feeBps: number
  port: number
}

type Env = Readonly<Record<string, string | undefined>>

export type Initialised = {
  files: { configuration: string; database: string; key: string | null; secrets: string }
  /** Pays gas; it is to be filled up on every network. */
  operator: string
  networks: string[]
  merchant: NewMerchant
}

/** Networks that `init` can fill in; others stand in the configuration with all that is to be said of them. */
export const initNetworks: readonly string[] = [...knownNetworks.values()]
  .filter(({ family }) => family === 'evm')
  .map(({ shortName }) => shortName)

/**
 * Makes everything that a service needs in one folder, or nothing.
 * @throws {ValidationError} when one of the files is there already: nothing is ever overwritten.
 * @throws {ConfigError} when an answer breaks a rule of the configuration.
 */
export async function initialise(answers: Answers, env: Env, runtime: Runtime): Promise<Initialised> {
  const folder = resolve(answers.folder)
  const at = (name: string) => join(folder, name)
  const database = at('checkout.sqlite')
  const paths = { configuration: at('checkout.json'), database, secrets: at('checkout.secrets.json') }
  const all = [...Object.values(paths), `${database}.key`, `${database}-wal`, `${database}-shm`]
  const there = all.filter((path) => existsSync(path))
  if (there.length > 0) throw new ValidationError(`nothing was made, because it is there already: ${there.join(', ')}`)
  verifyNetworks(answers)
  mkdirSync(folder, { recursive: true })
  try {
    const keyEnv = { SECRETS_KEY: env['SECRETS_KEY'], SECRETS_KEY_FILE: env['SECRETS_KEY_FILE'] }
    const secretsKey = keyOfEnvironment(keyEnv)
    const operatorKey = env['OPERATOR_PRIVATE_KEY'] ?? newOperatorKey(runtime)
    const operator = operatorAddress(operatorKey)
    if (operator === undefined) throw new ValidationError('OPERATOR_PRIVATE_KEY must be 0x and 64 hex digits')
    const text = `${JSON.stringify(configurationOf(answers), null, 2)}\n`
    // A node's address often holds a key.
    writeFileSync(paths.configuration, text, { mode: 0o600, flag: 'wx' })
    const merchant = await withVault({ database, secretsKey }, runtime, async ({ db, vault }) => {
      chmodSync(database, 0o600)
      const sealing = { key: secretsKey, database, runtime }
      writeSecret(paths.secrets, sealing, 'OPERATOR_PRIVATE_KEY', operatorKey)
      const { networks } = loadConfig({ ...keyEnv, BFF_CONFIG: paths.configuration })
      const fields = { name: answers.name, wallets: answers.wallets, webhookSecret: newWebhookSecret(runtime) }
      return await createMerchant({ db, networks, runtime, vault }, fields)
    })
    const key = existsSync(`${database}.key`) ? `${database}.key` : null
    return { files: { ...paths, key }, operator, networks: [...answers.rpcUrls.keys()], merchant }
  } catch (error) {
    // None of them was there before.
    for (const path of all) rmSync(path, { force: true })
    throw error
  }
}

function verifyNetworks({ rpcUrls, wallets }: Answers): void {
  if (rpcUrls.size === 0) throw new ValidationError('network: at least one is needed')
  for (const network of rpcUrls.keys()) {
    if (!initNetworks.includes(network)) {
      throw new ValidationError(
        `network: "${network}" is none that is known (${initNetworks.join(', ')}); others are written into the file`,
      )
    }
    if (!wallets.has(network)) throw new ValidationError(`wallet: there is none for ${network}`)
  }
}

function configurationOf({ rpcUrls, wallets, platformWallet, feeBps, port }: Answers) {
  return {
    host: '127.0.0.1',
    port,
    database: 'checkout.sqlite',
    secretsFile: 'checkout.secrets.json',
    platform: { feeBps },
    networks: [...rpcUrls].map(([shortName, rpcUrl]) => ({
      shortName,
      rpcUrls: [rpcUrl],
      platformWallet: platformWallet ?? wallets.get(shortName),
    })),
  }
}
