import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type DashboardPage, inviteTo, openPage, pageOrigin } from '@stablecoin-checkout/rig/dashboard-stage'
import { type Attest, cborBytes, cborMap, cborText } from '@stablecoin-checkout/rig/software-passkey'
import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let bff: AppFixture
let listener: Server
/** The requests of the service to the certificates' URL. */
let asked: string[]
beforeEach(async () => {
  bff = await openApp()
  asked = []
  listener = createServer((request, response) => {
    asked.push(String(request.url))
    response.end()
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  await new Promise((resolve) => listener.close(resolve))
  await bff.close()
})

/** Accepts an invitation with a passkey of that attestation. */
async function register(page: DashboardPage, attest?: Attest) {
  const token = await inviteTo(bff)
  const { body } = await page.ask('POST', '/dashboard/invitation/options', { token })
  const response = page.passkey.register(body['options'] as { challenge: string }, pageOrigin, attest)
  return await page.ask('POST', '/dashboard/invitation/accept', { token, response })
}

const sign = (key: KeyObject, ...parts: Uint8Array[]): Buffer =>
  parts.reduce((signer, part) => signer.update(part), createSign('sha256')).sign(key)
const es256 = Buffer.from([0x26])
const list = (...items: Buffer[]): Buffer => Buffer.concat([Buffer.from([0x80 + items.length]), ...items])

const ownKey: Attest = ({ privateKey, authenticatorData, clientDataHash }) => ({
  format: 'packed',
  statement: cborMap(
    [cborText('alg'), es256],
    [cborText('sig'), cborBytes(sign(privateKey, authenticatorData, clientDataHash))],
  ),
})

/** With two self-made certificates that contain the URL of a revocation list. */
const certified =
  (format: string): Attest =>
  ({ publicKey, privateKey, authenticatorData, clientDataHash }) => {
    const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { port } = listener.address() as AddressInfo
    const revoked = `http://127.0.0.1:${port}/revoked`
    const leaf = certificate('leaf', publicKey, authority.privateKey, [
      keyDescription(clientDataHash),
      revocation(revoked),
    ])
    const root = certificate('root', authority.publicKey, authority.privateKey, [revocation(revoked)])
    return {
      format,
      statement: cborMap(
        [cborText('alg'), es256],
        [cborText('sig'), cborBytes(sign(privateKey, authenticatorData, clientDataHash))],
        [cborText('x5c'), list(cborBytes(leaf), cborBytes(root))],
      ),
    }
  }

describe('a passkey', () => {
  test.each<[string, Attest | undefined]>([
    ['without an attestation', undefined],
    ['attested by its own key', ownKey],
  ])('%s is accepted', async (_, attest) => {
    expect((await register(openPage(bff), attest)).status).toBe(200)
  })

  test.each(['android-key', 'packed', 'tpm', 'apple', 'fido-u2f', 'android-safetynet', 'compound', 'toString'])(
    'attested as %s with certificates is refused, and no URL in them is requested',
    async (format) => {
      const { status, body } = await register(openPage(bff), certified(format))
      expect([status, body['code'], asked]).toEqual([403, 'PASSKEY_REFUSED', []])
    },
  )

  test.each<[string, Attest]>([
    ['whose self attestation another key signed', otherKeys],
    ['with a statement for the format “none”', () => ({ format: 'none', statement: cborMap([cborText('x'), es256]) })],
    ['with a statement that is no map', () => ({ format: 'none', statement: cborText('') })],
    ['nested endlessly', () => ({ format: 'none', statement: Buffer.alloc(9_000, 0x81) })],
  ])('%s is refused', async (_, attest) => {
    const { status, body } = await register(openPage(bff), attest)
    expect([status, body['code']]).toEqual([403, 'PASSKEY_REFUSED'])
  })
})

function otherKeys(made: Parameters<Attest>[0]): ReturnType<Attest> {
  return ownKey({ ...made, privateKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey })
}

/** DER of one value. */
function der(tag: number, ...parts: (Uint8Array | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const { length } = content
  const size = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: Uint8Array[]): Buffer => der(0x30, ...parts)
const integer = (value: number): Buffer => der(0x02, Buffer.from([value]))
const named = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const ecdsaWithSha256 = sequence(named('2a8648ce3d040302'))
const nameOf = (text: string): Buffer => sequence(der(0x31, sequence(named('550403'), der(0x0c, text))))

/** 2.5.29.31: the distribution point of the revocation list. */
const revocation = (url: string): Buffer =>
  sequence(named('551d1f'), der(0x04, sequence(sequence(der(0xa0, der(0xa0, der(0x86, url)))))))

/** 1.3.6.1.4.1.11129.2.1.17: Android's description of a key. */
const keyDescription = (challenge: Buffer): Buffer => {
  const level = der(0x0a, Buffer.from([1]))
  const rest = [der(0x04, challenge), der(0x04), sequence(), sequence()]
  return sequence(named('2b06010401d679020111'), der(0x04, sequence(integer(3), level, integer(4), level, ...rest)))
}

/** Signed by `root`. */
function certificate(subject: string, key: KeyObject, by: KeyObject, extensions: Buffer[]): Buffer {
  const validity = sequence(der(0x17, '200101000000Z'), der(0x17, '491231235959Z'))
  const content = sequence(
    der(0xa0, integer(2)),
    integer(1),
    ecdsaWithSha256,
    nameOf('root'),
    validity,
    nameOf(subject),
    key.export({ format: 'der', type: 'spki' }),
    der(0xa3, sequence(...extensions)),
  )
  return sequence(content, ecdsaWithSha256, der(0x03, Buffer.from([0]), sign(by, content)))
}
