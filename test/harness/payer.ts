import { paymentSplitter } from '@stablecoin-checkout/bff/contracts'
import { devnetChain } from '@stablecoin-checkout/rig/devnet/deploy'
import {
  createWalletClient,
  decodeErrorResult,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  http,
  isHex,
  pad,
  parseAbi,
  parseSignature,
  toHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { ContractCall, Signable } from './bff.ts'
import { type NetworkName, succeeded } from './chain.ts'
import type { Story } from './story.ts'

const wordDigits = 64
const token = parseAbi([
  'function nonces(address owner) view returns (uint256)',
  'function approve(address spender, uint256 amount)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
])

/** Acts as a customer's wallet with a given call. It knows no ABI: it writes words where the call says. */
export function openPayer({ chain, devnet }: Story) {
  const account = privateKeyToAccount(devnet.customer.privateKey)

  async function sign({ data, signatureOffset, typedData }: Signable, filled: Record<string, unknown>): Promise<Hex> {
    const message = { ...typedData.message, ...filled }
    const signature = parseSignature(await account.signTypedData({ ...typedData, message } as never))
    const words = [toHex(signature.v ?? 0n), signature.r, signature.s].map((part) => pad(part, { size: 32 }).slice(2))
    return putAt(data, signatureOffset, words.join(''))
  }

  return {
    address: account.address,
    async approve({ approval }: ContractCall, network?: NetworkName): Promise<void> {
      await chain.call(approval.to, approval.data, network)
    },
    /** Approves enough for many payments. */
    async approveUnits({ approval, contractAddress }: ContractCall, amount: bigint): Promise<void> {
      const data = encodeFunctionData({ abi: token, functionName: 'approve', args: [contractAddress, amount] })
      await chain.call(approval.to, data)
    },
    /** Approves and pays. @returns the payment's transaction. */
    async pay(call: ContractCall, network?: NetworkName): Promise<Hex> {
      await this.approve(call, network)
      return await chain.call(call.contractAddress, call.data, network)
    },
    /** @returns the call that pays with the customer's permit (ERC-2612). */
    async permit({ approval, permit }: ContractCall): Promise<Hex> {
      if (permit === undefined) throw new Error('The call has no permit')
      const address = approval.to
      const owner = account.address
      const nonce = await chain
        .node()
        .reader.readContract({ address, abi: token, functionName: 'nonces', args: [owner] })
      return await sign(permit, { owner, nonce })
    },
    /** A stranger extracts the permit from the signed call, and uses it before the payment does. */
    async frontRun({ approval, contractAddress }: ContractCall, signed: Hex): Promise<void> {
      const { functionName, args } = decodeFunctionData({ abi: paymentSplitter.abi, data: signed })
      if (functionName !== 'splitPaymentWithPermit') throw new Error(`${functionName} has no permit`)
      const [{ amount }, deadline, v, r, s] = args
      const permit = [account.address, contractAddress, amount, deadline, v, r, s] as const
      await this.relay(approval.to, encodeFunctionData({ abi: token, functionName: 'permit', args: permit }))
    },
    /** @returns the name of the splitter's error for this call now. */
    async whyRefused(to: Hex, data: Hex): Promise<string> {
      const { reader } = chain.node()
      const error = await reader.call({ account: account.address, to, data }).then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      let raw: unknown
      for (let cause = error; cause instanceof Error; cause = cause.cause) raw ??= (cause as { data?: unknown }).data
      if (!isHex(raw)) throw new Error('Nothing was refused', { cause: error })
      return decodeErrorResult({ abi: paymentSplitter.abi, data: raw }).errorName
    },
    /** @returns the call that pays with the customer's authorization (ERC-3009); anyone may send it. */
    async authorize({ authorization }: ContractCall): Promise<Hex> {
      if (authorization === undefined) throw new Error('The call has no authorization')
      const data = await sign(authorization, { from: account.address })
      return putAt(data, authorization.payerOffset, pad(account.address).slice(2))
    },
    /** Sends the call from an account with gas and without tokens. */
    async relay(to: Hex, data: Hex): Promise<Hex> {
      const { facts, reader } = chain.node()
      const relayer = createWalletClient({
        chain: devnetChain(facts.rpcUrl, facts.chainId),
        transport: http(facts.rpcUrl),
        account: privateKeyToAccount(devnet.tokenOwner.privateKey),
      })
      const hash = await relayer.sendTransaction({ to, data })
      await succeeded(reader, hash)
      return hash
    },
  }
}

/** Replaces words of zeros at `offset`. */
function putAt(data: Hex, offset: number, words: string): Hex {
  const old = data.slice(offset, offset + words.length)
  if (words.length % wordDigits !== 0 || !/^0+$/.test(old))
    throw new Error(`No room for ${words.length} digits at ${offset}`)
  return `${data.slice(0, offset)}${words}${data.slice(offset + words.length)}` as Hex
}
