import {
  getAddress,
  type Hex,
  isAddressEqual,
  isHex,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerializable,
  type TransactionSerializableEIP1559,
  type TransactionSerialized,
} from 'viem'
import { type LocalAccount, toAccount } from 'viem/accounts'
import { z } from 'zod'
import { withTimeout } from '../../../core/with-timeout.ts'

/** Time for an automatic signature. Hardware that waits for a button press is not supported. */
const timeoutMs = 15_000

/** A signed sweep of fifty deposits has about 60,000 characters. */
const answerCharsMax = 1_000_000

/** The signer refused, failed, or signed something else. The message omits the signer's URL, which may contain a key. */
class SignerError extends Error {}

type Remote = { url: string; address: string; token: string | null }

/** Web3Signer returns the transaction, Geth and Clef an object that contains it. */
const answerSchema = z.union([
  z.object({ result: z.union([z.string(), z.object({ raw: z.string() })]) }),
  z.object({ error: z.object({ message: z.string() }) }),
])

/**
 * An account whose key is held by another process with `eth_signTransaction` (Web3Signer, Clef, Geth). The response is compared
 * with the request, field by field, and with the account: a compromised signer cannot make the service send anything else.
 * @see https://docs.web3signer.consensys.io/reference/api/json-rpc
 */
export function createRemoteAccount(remote: Remote): LocalAccount {
  const address = getAddress(remote.address)
  const refuse = async (): Promise<never> => {
    throw new SignerError('The remote signer signs transactions only.')
  }
  return toAccount({
    address,
    signMessage: refuse,
    signTypedData: refuse,
    async signTransaction(transaction) {
      const asked = eip1559(transaction)
      const raw = await ask(remote, { from: address, ...fieldsOf(asked) })
      await verifySigned(raw, asked, address)
      return raw
    },
  }) as LocalAccount
}

function eip1559(transaction: TransactionSerializable): TransactionSerializableEIP1559 {
  const isOurs = transaction.type === 'eip1559' || transaction.maxFeePerGas !== undefined
  if (!isOurs) throw new SignerError('Only EIP-1559 transactions are signed.')
  return transaction as TransactionSerializableEIP1559
}

const fields = ['nonce', 'gas', 'value', 'maxFeePerGas', 'maxPriorityFeePerGas', 'chainId'] as const

const amountOf = (transaction: TransactionSerializableEIP1559, field: (typeof fields)[number]): bigint =>
  BigInt(transaction[field] ?? 0)

function fieldsOf(transaction: TransactionSerializableEIP1559) {
  const amounts = fields.map((field) => [field, numberToHex(amountOf(transaction, field))])
  return { to: transaction.to, data: transaction.data ?? '0x', type: '0x2', ...Object.fromEntries(amounts) }
}

async function ask({ url, token }: Remote, transaction: object): Promise<Hex> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_signTransaction', params: [transaction] })
  const headers = { 'content-type': 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) }
  const answer = await withTimeout(timeoutMs, [], async (signal) => {
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' })
    return { status: response.status, text: await response.text() }
  }).catch(() => undefined)
  if (answer === undefined) throw new SignerError(`The signer did not respond within ${timeoutMs / 1_000} s.`)
  const parsed = answer.text.length > answerCharsMax ? undefined : answerSchema.safeParse(jsonOf(answer.text)).data
  if (!parsed) throw new SignerError(`The signer’s response is invalid (HTTP ${answer.status}).`)
  if ('error' in parsed) throw new SignerError(`The signer refused: ${parsed.error.message.slice(0, 200)}`)
  const raw = typeof parsed.result === 'string' ? parsed.result : parsed.result.raw
  if (!isHex(raw)) throw new SignerError('The signer’s response contains no transaction.')
  return raw
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @throws {SignerError} naming the first field that differs. */
async function verifySigned(raw: Hex, asked: TransactionSerializableEIP1559, address: Hex): Promise<void> {
  const signed = parsedOrRefused(raw)
  const differs = (field: string) => new SignerError(`The signer signed another transaction: ${field} differs.`)
  if (signed.type !== 'eip1559') throw differs('type')
  if (!signed.to || !asked.to || !isAddressEqual(signed.to, asked.to)) throw differs('to')
  if ((signed.data ?? '0x').toLowerCase() !== (asked.data ?? '0x').toLowerCase()) throw differs('data')
  for (const field of fields) if (amountOf(signed, field) !== amountOf(asked, field)) throw differs(field)
  if ((signed.accessList?.length ?? 0) > 0) throw differs('accessList')
  const by = await recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized })
  if (!isAddressEqual(by, address)) throw new SignerError(`The signer signs for ${by}, not for ${address}.`)
}

function parsedOrRefused(raw: Hex) {
  try {
    return parseTransaction(raw as TransactionSerialized<'eip1559'>)
  } catch {
    throw new SignerError('The signer’s response contains no transaction.')
  }
}
