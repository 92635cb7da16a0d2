import QRCode from 'qrcode'

/** Rows of bits, most significant first, 1 is dark: (size × size + 7) / 8 bytes as base64. */
type QrCode = { size: number; modules: string }

/** Encoding takes about a millisecond, and every poll requests the code again. */
const cacheMax = 2_000

/** Level M stays readable with 15 % of the code damaged, and an address still fits version 3, 29 × 29 modules. */
const errorCorrectionLevel = 'M'

const cache = new Map<string, QrCode>()

export function qrCode(text: string): QrCode {
  const cached = cache.get(text)
  if (cached) return cached
  const { size, data } = QRCode.create(text, { errorCorrectionLevel }).modules
  const bytes = new Uint8Array(Math.ceil(data.length / 8))
  for (const [index, isDark] of data.entries()) {
    const at = index >> 3
    if (isDark) bytes[at] = (bytes[at] ?? 0) | (0x80 >> (index & 7))
  }
  const code = { size, modules: Buffer.from(bytes).toString('base64') }
  const oldest = cache.keys().next()
  if (cache.size >= cacheMax && !oldest.done) cache.delete(oldest.value)
  cache.set(text, code)
  return code
}

type QrCodes = { address: QrCode; uri: QrCode | null }

/**
 * The two QR codes of a payment's first screen. Without an address they encode the wallet link; undefined if there is
 * neither.
 */
export function paymentQr(payment: {
  depositAddress: string | null
  relayDepositAddress?: string | undefined
  paymentUri: string | null
}): QrCodes | undefined {
  const text = payment.relayDepositAddress ?? payment.depositAddress ?? payment.paymentUri
  if (text === null) return undefined
  return {
    address: qrCode(text),
    // On Tron the link is the bare address: a second code with the same text would suggest that it contains the amount.
    uri:
      payment.paymentUri === null || payment.paymentUri === payment.depositAddress ? null : qrCode(payment.paymentUri),
  }
}
