import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { systemRuntime } from '../../core/runtime.ts'
import { serveSetup } from './serve-setup.ts'

const folder = mkdtempSync(join(tmpdir(), 'checkout-setup-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('keys of the environment', () => {
  test.each([
    ['OPERATOR_PRIVATE_KEY', 'nonsense'],
    ['SOLANA_FEE_PAYER_KEY', 'nonsense'],
    ['SECRETS_KEY', 'short'],
  ])('that are wrong are found before the first question: %s', async (variable, text) => {
    const serve = () => expect.unreachable()
    const env = { BFF_PORT: '0', [variable]: text }
    const serving = serveSetup({ folder, env, runtime: systemRuntime, write: () => {}, serve })
    await expect(serving).rejects.toThrow(`${variable} must be`)
  })
})
