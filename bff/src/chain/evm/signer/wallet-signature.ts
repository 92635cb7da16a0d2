import { decodeAbiParameters, encodeFunctionData, type Hex, hashMessage, isHex, parseAbi, verifyMessage } from 'viem'

const abi = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])

/** A smart account's return value for a valid signature (ERC-1271). */
const magicValue = '0x1626ba7e'

/** Characters; more than a wallet with dozens of owners needs. */
const signatureMax = 20_000

type Signed = { address: string; message: string; signature: string }

/**
 * Whether the wallet has signed the message (EIP-191): by its key, or as confirmed by its contract.
 * @throws the node's error, if the signature is not the key's and no node responds.
 */
export async function isSignedByWallet(
  pool: { ask(method: string, params: unknown[], signal: AbortSignal): Promise<{ answer: unknown }> },
  { address, message, signature }: Signed,
  signal: AbortSignal,
): Promise<boolean> {
  if (!isHex(signature) || signature.length > signatureMax) return false
  const isByKey = await verifyMessage({ address: address as Hex, message, signature }).catch(() => false)
  if (isByKey) return true
  const { answer: code } = await pool.ask('eth_getCode', [address, 'latest'], signal)
  if (code === '0x') return false
  const data = encodeFunctionData({ abi, functionName: 'isValidSignature', args: [hashMessage(message), signature] })
  const answer = await pool.ask('eth_call', [{ to: address, data }, 'latest'], signal).catch((error: unknown) => {
    // A contract without the function reverts; an unresponsive node throws something else.
    if (/revert/i.test(String(error))) return { answer: '0x' }
    throw error
  })
  const result = String(answer.answer)
  return result.length === 66 && decodeAbiParameters([{ type: 'bytes4' }], result as Hex)[0] === magicValue
}
