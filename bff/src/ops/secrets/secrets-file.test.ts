import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemRuntime } from '../../core/runtime.ts'
import { loadConfig } from '../config/config.ts'
import { ConfigError } from '../config/source.ts'
import { keyOfEnvironment, readSecrets, removeSecret, secretNames, writeSecret } from './secrets-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'checkout-secrets-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const key = Buffer.alloc(32, 7)
const secret = `0x${'5e'.repeat(32)}`
const at = (name: string) => join(folder, name)
const seal = (name = 'OPERATOR_PRIVATE_KEY', text = secret) =>
  writeSecret(at('secrets.json'), { key, database: at('shop.sqlite'), runtime: systemRuntime }, name, text)
const open = (by: Uint8Array | null = key) => readSecrets(at('secrets.json'), by, at('shop.sqlite'))

test('a secret is sealed in a file readable by its owner, and nothing else is left', () => {
  seal()
  const text = readFileSync(at('secrets.json'), 'utf8')
  expect(text).not.toContain(secret.slice(2))
  expect(statSync(at('secrets.json')).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['secrets.json'])
  expect(open()).toEqual({ OPERATOR_PRIVATE_KEY: secret })
})

test('secrets are stored and removed one by one', () => {
  seal()
  seal('OPERATOR_SIGNER_TOKEN', 'let-me-in')
  expect(secretNames(at('secrets.json'))).toEqual(['OPERATOR_PRIVATE_KEY', 'OPERATOR_SIGNER_TOKEN'])
  expect(removeSecret(at('secrets.json'), 'OPERATOR_PRIVATE_KEY', systemRuntime)).toBe(true)
  expect(open()).toEqual({ OPERATOR_SIGNER_TOKEN: 'let-me-in' })
  expect(removeSecret(at('secrets.json'), 'OPERATOR_PRIVATE_KEY', systemRuntime)).toBe(false)
})

test('another key, a modified file, or a secret under another name is refused without quoting it', () => {
  seal()
  expect(() => open(Buffer.alloc(32, 8))).toThrow(/OPERATOR_PRIVATE_KEY was sealed with another key/)
  const file = JSON.parse(readFileSync(at('secrets.json'), 'utf8')) as { sealed: Record<string, string> }
  const { OPERATOR_PRIVATE_KEY: sealed } = file.sealed
  writeFileSync(at('secrets.json'), JSON.stringify({ version: 1, sealed: { OPERATOR_SIGNER_TOKEN: sealed } }))
  expect(() => open()).toThrow(/OPERATOR_SIGNER_TOKEN was sealed with another key, or under another name/)
  writeFileSync(at('secrets.json'), '{}')
  expect(() => open()).toThrow(/is not a file of sealed secrets/)
})

test('without a variable the key is the file beside the database, and without that file the secrets are refused', () => {
  expect(() => open(null)).toThrow(/secrets.json, named by secretsFile, does not exist/)
  writeFileSync(at('shop.sqlite.key'), key.toString('base64'))
  seal()
  expect(open(null)).toEqual({ OPERATOR_PRIVATE_KEY: secret })
  rmSync(at('shop.sqlite.key'))
  expect(() => open(null)).toThrow(/their key is missing. Restore the file .*shop.sqlite.key/)
})

test('the key may be a variable, or a file named by a variable', () => {
  writeFileSync(at('key'), `${key.toString('base64')}\n`)
  expect(keyOfEnvironment({ SECRETS_KEY_FILE: at('key') })).toEqual(key)
  expect(keyOfEnvironment({ SECRETS_KEY: key.toString('hex') })).toEqual(key)
  expect(() => keyOfEnvironment({ SECRETS_KEY_FILE: at('nowhere') })).toThrow(/There is no key file/)
})

test('the configuration uses sealed secrets, and a variable of the same name wins', () => {
  seal()
  const config = at('config.json')
  writeFileSync(config, '{ "secretsFile": "secrets.json", "database": "shop.sqlite" }')
  const env = { BFF_CONFIG: config, SECRETS_KEY: key.toString('base64') }
  expect(loadConfig(env).operator).toEqual({ kind: 'key', privateKey: secret })
  const other = `0x${'17'.repeat(32)}`
  expect(loadConfig({ ...env, OPERATOR_PRIVATE_KEY: other }).operator).toEqual({ kind: 'key', privateKey: other })
  const wrong = { ...env, SECRETS_KEY: Buffer.alloc(32, 9).toString('base64') }
  expect(() => loadConfig(wrong)).toThrow(ConfigError)
})
