import { createHash, createPrivateKey, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'

type Options = Record<string, unknown> & { challenge: string }

/** Browser and authenticator in one: a P-256 passkey with user verification. For tests without a browser. */
export type SoftwarePasskey = {
  id: string
  /** The response of a page at `origin` to `navigator.credentials.create`. @param attest - Default: no attestation. */
  register(options: Options, origin: string, attest?: Attest): object
  /** The response to `navigator.credentials.get`. */
  sign(options: Options, origin: string): object
  /** From now on, the authenticator asks for neither PIN nor fingerprint. */
  askNothing(): void
  /** From now on, it does not count its signatures, like passkeys shared by several devices. */
  countNothing(): void
  /** PKCS #8 in base64, for a browser's authenticator. */
  exportKey(): string
}

/** An authenticator's attestation: its format, and the statement as CBOR. */
export type Attest = (made: {
  publicKey: KeyObject
  privateKey: KeyObject
  authenticatorData: Buffer
  clientDataHash: Buffer
}) => { format: string; statement: Buffer }

const noAttestation: Attest = () => ({ format: 'none', statement: cborMap() })

const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest()

/** Flags: user present, and user verified. */
const presentFlag = 0x01
const verifiedFlag = 0x04
const attestedFlag = 0x40

export function newPasskey(): SoftwarePasskey {
  let userFlags = presentFlag | verifiedFlag
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const idBytes = randomBytes(32)
  const id = base64url(idBytes)
  let counter = 0
  let counts = true

  function authenticatorData(rpId: string, flags: number, attested: Uint8Array = new Uint8Array()): Buffer {
    const head = Buffer.alloc(5)
    head.writeUInt8(flags)
    counter += counts ? 1 : 0
    head.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(rpId), head, attested])
  }

  const clientData = (type: string, { challenge }: Options, origin: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

  const answer = (response: object) => ({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response })

  return {
    id,
    askNothing() {
      userFlags = presentFlag
    },
    countNothing() {
      counts = false
      counter = 0
    },
    exportKey: () => pair.privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    register(options, origin, attest = noAttestation) {
      const client = clientData('webauthn.create', options, origin)
      const length = Buffer.alloc(2)
      length.writeUInt16BE(idBytes.length)
      const attested = Buffer.concat([Buffer.alloc(16), length, idBytes, coseKey(pair.publicKey)])
      const { id: rpId } = options['rp'] as { id: string }
      const data = authenticatorData(rpId, userFlags | attestedFlag, attested)
      const { format, statement } = attest({ ...pair, authenticatorData: data, clientDataHash: sha256(client) })
      const attestationObject = cborMap(
        [cborText('fmt'), cborText(format)],
        [cborText('attStmt'), statement],
        [cborText('authData'), cborBytes(data)],
      )
      return answer({ clientDataJSON: base64url(client), attestationObject: base64url(attestationObject) })
    },
    sign(options, origin) {
      const client = clientData('webauthn.get', options, origin)
      const data = authenticatorData(String(options['rpId']), userFlags)
      const signer = createSign('sha256').update(data).update(sha256(client))
      const signature = signer.sign(createPrivateKey(pair.privateKey.export({ type: 'pkcs8', format: 'pem' })))
      return answer({
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
      })
    },
  }
}

export const cborText = (text: string): Buffer => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])

/** 24 to 65,535 bytes. */
export function cborBytes(bytes: Uint8Array): Buffer {
  const { length } = bytes
  return Buffer.concat([Buffer.from(length < 256 ? [0x58, length] : [0x59, length >> 8, length & 0xff]), bytes])
}

/** At most 23 entries. */
export const cborMap = (...entries: [name: Buffer, value: Buffer][]): Buffer =>
  Buffer.concat([Buffer.from([0xa0 + entries.length]), ...entries.flat()])

/** `{1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}`. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    cborBytes(Buffer.from(x, 'base64url')),
    Buffer.from([0x22]),
    cborBytes(Buffer.from(y, 'base64url')),
  ])
}
