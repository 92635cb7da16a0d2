import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemRuntime } from '../../core/runtime.ts'
import { createService } from './create-service.ts'
import { setupPageOf } from './setup-access.ts'
import { newDraft } from './setup-draft.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'checkout-create-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('no service is created while a chain family of its networks has no wallet', async () => {
  const evm = { address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', proof: 'retyped', signed: null } as const
  const draft = {
    ...newDraft(),
    owner: { name: 'Ada', passkey: { id: 'passkey', publicKey: 'key', counter: 0 } },
    shop: { name: 'Corner Coffee', language: 'en', currency: 'USD', color: null, logo: null },
    networks: ['base', 'solana'].map((network) => ({
      network,
      rpcUrls: ['https://node.example'],
      deposits: 'forwarder' as const,
    })),
    wallets: new Map([['evm' as const, evm]]),
  }
  const place = { folder, port: 8787, trustedProxies: [], env: {} }
  const browser = { page: setupPageOf('http://localhost:8787', 'localhost:8787'), address: '127.0.0.1', name: '' }
  const created = createService(draft, place, browser, systemRuntime)
  await expect(created).rejects.toMatchObject({ code: 'ANSWERS_MISSING' })
  expect(readdirSync(folder)).toEqual([])
})
