import { concatHex, type Hex, keccak256, recoverAddress, stringToHex } from 'viem'
import { addressHex } from '../../event-topic.ts'

const signatureForm = /^(?:0x)?[0-9a-fA-F]{130}$/

/** Whether a wallet has signed a text, as TronLink's `signMessageV2` does. Calls no node. */
export async function isSignedByTronWallet({
  address,
  message,
  signature,
}: {
  address: string
  message: string
  signature: string
}): Promise<boolean> {
  if (!signatureForm.test(signature)) return false
  const text = stringToHex(message)
  const bytes = (text.length - 2) / 2
  const hash = keccak256(concatHex([stringToHex(`\x19TRON Signed Message:\n${bytes}`), text]))
  try {
    const signer = await recoverAddress({ hash, signature: `0x${signature.slice(-130)}` as Hex })
    return signer.toLowerCase() === addressHex(address)
  } catch {
    return false
  }
}
