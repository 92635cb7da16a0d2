import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { systemRuntime } from '../../core/runtime.ts'
import { serveSetup } from './serve-setup.ts'
import { showOnDesktop } from './show-on-desktop.ts'

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
    const serving = serveSetup({ folder, env, isTerminal: false, runtime: systemRuntime, write: () => {}, serve })
    await expect(serving).rejects.toThrow(`${variable} must be`)
  })
})

test('the link has the address of the proxy in front, which must be https', async () => {
  const printed: string[] = []
  const options = {
    folder: mkdtempSync(join(folder, 'proxied-')),
    isTerminal: true,
    runtime: systemRuntime,
    write: (text: string) => void printed.push(text),
    serve: () => expect.unreachable(),
  }
  const setup = await serveSetup({ ...options, env: { BFF_PORT: '0', SETUP_PUBLIC_URL: 'https://pay.example/' } })
  await setup.stop()
  expect(printed.join('')).toMatch(/^ {2}https:\/\/pay\.example\/setup#[\w-]{43}$/m)
  expect(printed.join('')).not.toContain('ssh')
  for (const url of ['pay.example', 'http://pay.example']) {
    const serving = serveSetup({ ...options, env: { BFF_PORT: '0', SETUP_PUBLIC_URL: url } })
    await expect(serving).rejects.toThrow('SETUP_PUBLIC_URL must be an https URL')
  }
})

test('a service that `init` creates beside the page starts in its place, on its port', async () => {
  const place = mkdtempSync(join(folder, 'beside-'))
  const served: unknown[] = []
  const setup = await serveSetup({
    folder: place,
    env: { BFF_PORT: '0' },
    isTerminal: true,
    runtime: systemRuntime,
    write: () => {},
    serve: async (...given) => {
      served.push(given)
      return { stop: async () => void served.push('stopped') }
    },
  })
  const configuration = join(place, 'checkout.json')
  writeFileSync(`${configuration}.unfinished`, '{}')
  renameSync(`${configuration}.unfinished`, configuration)
  await setup.ended
  expect(served).toEqual([[configuration, Number(new URL(setup.url).port)]])
  await expect(fetch(`${setup.url}/setup`)).rejects.toThrow('fetch failed')
  await setup.stop()
  expect(served.at(-1)).toBe('stopped')
})

describe('a desktop that gives the program no terminal', () => {
  const link = 'http://localhost:8787/setup#token'

  /** A desktop whose program for links writes down what it was given, and what stands in there. */
  function desktop() {
    const place = mkdtempSync(join(folder, 'desktop-'))
    const opener = join(place, 'xdg-open')
    writeFileSync(
      opener,
      `#!/bin/sh\n{ echo "$1"; /bin/cat "$1"; echo "key $SECRETS_KEY"; } > ${place}/shown.part\n/bin/mv ${place}/shown.part ${place}/shown\n`,
    )
    chmodSync(opener, 0o700)
    return { place, env: { PATH: place, DISPLAY: ':0' } }
  }

  test('opens the link by a page that only the user reads, and the page goes when the set-up ends', async () => {
    const { place, env } = desktop()
    const printed: string[] = []
    const setup = await serveSetup({
      folder: place,
      env: { ...env, BFF_PORT: '0', SECRETS_KEY: 'ab'.repeat(32) },
      isTerminal: false,
      runtime: systemRuntime,
      write: (text) => printed.push(text),
      serve: () => expect.unreachable(),
    })
    const file = join(place, 'checkout-set-up.html')
    if (process.platform === 'linux') {
      expect(statSync(file).mode & 0o777).toBe(0o600)
      await expect.poll(() => existsSync(join(place, 'shown'))).toBe(true)
      const [given, page, key] = readFileSync(join(place, 'shown'), 'utf8').split('\n')
      expect(given).toBe(file)
      expect(key).toBe('key ')
      const shown = /url=(http[^"]+)"/.exec(page ?? '')?.[1] ?? ''
      expect(shown).toMatch(/^http:\/\/localhost:\d+\/setup#[\w-]{43}$/)
      expect(printed.join('')).toContain(shown)
    }
    await setup.stop()
    expect(existsSync(file)).toBe(false)
  })

  test('without its program for links the page stays to be opened by hand', () => {
    const { place } = desktop()
    const remove = showOnDesktop(link, { folder: place, env: { PATH: '/nowhere', DISPLAY: ':0' }, platform: 'linux' })
    expect(readFileSync(join(place, 'checkout-set-up.html'), 'utf8')).toContain(`url=${link}"`)
    remove?.()
    expect(existsSync(join(place, 'checkout-set-up.html'))).toBe(false)
  })

  test.each([
    ['a terminal prints the link', { DISPLAY: ':0' }, true],
    ['a server has no desktop', {}, false],
  ])('%s: nothing is opened', async (_, env, isTerminal) => {
    const place = mkdtempSync(join(folder, 'quiet-'))
    const options = {
      folder: place,
      env: { ...env, BFF_PORT: '0' },
      isTerminal,
      runtime: systemRuntime,
      write: () => {},
    }
    const setup = await serveSetup({ ...options, serve: () => expect.unreachable() })
    expect(readdirSync(place)).toEqual([])
    await setup.stop()
  })
})
