import { randomUUID } from 'node:crypto'
import { paymentSplitter } from '@stablecoin-checkout/bff/contracts'
import { permit2Address, permit2Domain, permit2Types } from '@stablecoin-checkout/bff/testing/evm'
import { testUsdc } from '@stablecoin-checkout/rig/devnet/tokens.generated'
import {
  type Address,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  maxUint48,
  maxUint256,
  parseAbi,
  parseSignature,
  zeroAddress,
} from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { compile } from '../../bff/contracts/build.mjs'
import type { Measure } from './fixtures.ts'
import { type GasChain, newAddress } from './gas-chain.ts'

/** Of the floor. The mark that makes the same terms pay once is 22,100 of it, a storage slot that was never used before. */
const timesFloorMax = 1.5

const due = 25_000_000n
const deadline = maxUint48
const { abi, address: splitter } = paymentSplitter
const erc20 = parseAbi(['function approve(address spender, uint256 amount)'])

type Case = { label: string; token: Address; merchant: Address; platform: Address; hasSignatures: boolean }

/** By every door, next to the floor: a contract that takes the same call, makes the two transfers and the event, and checks nothing. */
export async function gasOfPayments(chain: GasChain, { label, hasSignatures, ...parties }: Case): Promise<Measure[]> {
  const { token } = parties
  const payer = chain.account
  // A payer who is left with something, as most are: emptying a balance earns a refund.
  await chain.mint(token, payer.address, 1_000n * due)

  const details = () => ({
    token,
    amount: due,
    paymentId: randomUUID(),
    recipient1: parties.merchant,
    recipient2: parties.platform,
    recipient3: zeroAddress,
    recipient1Percentage: 9_850n,
    recipient2Percentage: 150n,
    recipient3Percentage: 0n,
  })
  /** An approval of exactly the amount, as our clients make it; it is no part of what is measured. */
  const approve = (spender: Address) =>
    chain.send(token, encodeFunctionData({ abi: erc20, functionName: 'approve', args: [spender, due] }))

  async function gasOf(to: Address, data: Hex): Promise<number> {
    const receipt = await chain.send(to, data)
    const isSplit = receipt.logs.at(-1)?.address === to.toLowerCase()
    if (!isSplit) throw new Error('A measured payment has no event.')
    return Number(receipt.gasUsed)
  }
  async function approved(to: Address, data: Hex): Promise<number> {
    await approve(to)
    return await gasOf(to, data)
  }
  const plain = () => encodeFunctionData({ abi, functionName: 'splitPayment', args: [details()] })

  const floorContract = await chain.deploy(compileFloor())
  const floor = await approved(floorContract, plain())
  const split = await approved(splitter, plain())
  const before = encodeFunctionData({ abi, functionName: 'splitPaymentBefore', args: [details(), deadline] })
  const times = Number((split / floor).toFixed(3))
  const gas = (door: string, value: number): Measure => ({
    name: `a payment: ${door}`,
    case: label,
    value,
    unit: 'gas',
  })
  const results: Measure[] = [
    gas('floor', floor),
    gas('splitPayment', split),
    {
      name: 'a payment: splitPayment',
      ratioTo: 'floor',
      case: label,
      value: times,
      unit: 'x',
      target: `<= ${timesFloorMax}`,
      isGood: times <= timesFloorMax,
    },
    gas('splitPaymentBefore', await approved(splitter, before)),
  ]
  // Once in a payer's life, and no part of what is measured.
  await chain.send(
    token,
    encodeFunctionData({ abi: erc20, functionName: 'approve', args: [permit2Address, maxUint256] }),
  )
  results.push(gas('splitPaymentWithPermit2', await gasOf(splitter, await permit2SplitCall(chain, details()))))
  const deposit = newAddress()
  const toDeposit = await chain.send(splitter, await permit2DepositCall(chain, token, deposit))
  results.push(gas('payDepositWithPermit2', Number(toDeposit.gasUsed)))
  if (!hasSignatures) return results

  // The first permit of a payer's life also opens his nonce, a slot that the later ones find used.
  await gasOf(splitter, await permitCall(chain, details()))
  results.push(gas('splitPaymentWithPermit', await gasOf(splitter, await permitCall(chain, details()))))
  results.push(gas('splitPaymentWithAuthorization', await gasOf(splitter, await authorizationCall(chain, details()))))
  return results
}

function compileFloor(): Hex {
  const path = 'test/bench/PaymentFloor.sol'
  return compile([path, 'bff/contracts/src/PaymentDetails.sol'])(path).bytecode
}

type Details = {
  token: Address
  amount: bigint
  paymentId: string
  recipient1: Address
  recipient2: Address
  recipient3: Address
  recipient1Percentage: bigint
  recipient2Percentage: bigint
  recipient3Percentage: bigint
}

const domainOf = (chain: GasChain, token: Address) =>
  ({ name: 'USD Coin', version: '2', chainId: chain.chainId, verifyingContract: token }) as const

async function permitCall({ account, ...chain }: GasChain, details: Details): Promise<Hex> {
  const { token, amount: value } = details
  const owner = account.address
  const nonce = await chain.reader.readContract({
    address: token,
    abi: testUsdc.abi,
    functionName: 'nonces',
    args: [owner],
  } as const)
  const signature = await account.signTypedData({
    domain: domainOf({ account, ...chain }, token),
    types: {
      Permit: [
        { name: 'owner', type: 'address' },
        { name: 'spender', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'Permit',
    message: { owner, spender: splitter, value, nonce, deadline: deadline },
  })
  const { r, s, v } = parseSignature(signature)
  const args = [details, deadline, Number(v), r, s] as const
  return encodeFunctionData({ abi, functionName: 'splitPaymentWithPermit', args })
}

async function authorizationCall(chain: GasChain, details: Details): Promise<Hex> {
  const { token, amount: value } = details
  const from = chain.account.address
  const nonce = await chain.reader.readContract({ address: splitter, abi, functionName: 'termsHash', args: [details] })
  const signature = await chain.account.signTypedData({
    domain: domainOf(chain, token),
    types: {
      ReceiveWithAuthorization: [
        { name: 'from', type: 'address' },
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'validAfter', type: 'uint256' },
        { name: 'validBefore', type: 'uint256' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'ReceiveWithAuthorization',
    message: { from, to: splitter, value, validAfter: 0n, validBefore: deadline, nonce },
  })
  const { r, s, v } = parseSignature(signature)
  const args = [details, from, 0n, deadline, Number(v), r, s] as const
  return encodeFunctionData({ abi, functionName: 'splitPaymentWithAuthorization', args })
}

const permit2Message = (token: Address, nonce: bigint) => ({
  permitted: { token, amount: due },
  spender: splitter,
  nonce,
  deadline: BigInt(deadline),
})

async function permit2SplitCall({ account, chainId, reader }: GasChain, details: Details): Promise<Hex> {
  const termsHash = await reader.readContract({ address: splitter, abi, functionName: 'termsHash', args: [details] })
  const signature = await account.signTypedData({
    domain: permit2Domain(chainId),
    types: permit2Types('contract'),
    primaryType: 'PermitWitnessTransferFrom',
    message: { ...permit2Message(details.token, hexToBigInt(termsHash)), witness: { termsHash } },
  })
  const args = [details, account.address, BigInt(deadline), signature] as const
  return encodeFunctionData({ abi, functionName: 'splitPaymentWithPermit2', args })
}

async function permit2DepositCall(
  { account, chainId }: GasChain,
  token: Address,
  depositAddress: Address,
): Promise<Hex> {
  const nonce = hexToBigInt(generatePrivateKey())
  const signature = await account.signTypedData({
    domain: permit2Domain(chainId),
    types: permit2Types('deposit'),
    primaryType: 'PermitWitnessTransferFrom',
    message: { ...permit2Message(token, nonce), witness: { depositAddress } },
  })
  const args = [token, depositAddress, due, account.address, nonce, BigInt(deadline), signature] as const
  return encodeFunctionData({ abi, functionName: 'payDepositWithPermit2', args })
}
